// The network that an address belongs to, of which one customer can own every address.

/** The /48 that the /64 of an IPv6 address lies in; the /24 of an IPv4 address. */
export function networkOf(address: string): string {
  if (isIpv6(address)) return `${address.split(':').slice(0, 3).join(':')}::/48`;
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}

export function isIpv6(address: string): boolean {
  return address.endsWith('::/64');
}
