// The client's address: the peer, or what trusted proxies say of it; and the bucket it counts in.
import ipaddr from 'ipaddr.js';

export interface ClientAddress {
  /** As a person would write it; for logs and for the owner of a key. */
  readonly ip: string;
  /** What is counted: an IPv4 address, or the /64 an IPv6 address lies in, which one host owns whole. */
  readonly bucket: string;
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Hops beyond this many are a forgery or a mistake. */
const HOPS_MAX = 16;

const UNKNOWN: ClientAddress = Object.freeze({ ip: 'unknown', bucket: 'unknown' });

export class AddressReader {
  readonly #trusted: readonly Range[];

  /** `trustedProxies` are addresses or CIDR ranges; without any, forwarding headers are ignored. */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.map(rangeOf);
  }

  get trustsProxies(): boolean {
    return this.#trusted.length > 0;
  }

  read(peer: string | undefined, forwardedFor: string | undefined): ClientAddress {
    const nearest = parse(peer);
    if (nearest === null) return UNKNOWN;
    if (forwardedFor === undefined || !this.isTrusted(nearest)) return describe(nearest);
    return describe(this.#rightmostUntrusted(nearest, forwardedFor));
  }

  isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    return this.#trusted.some(
      ([network, bits]) =>
        network.kind() === address.kind() && address.match([network, bits] as never),
    );
  }

  /** What stands left of the first untrusted hop was written by the client itself. */
  #rightmostUntrusted(
    peer: ipaddr.IPv4 | ipaddr.IPv6,
    forwardedFor: string,
  ): ipaddr.IPv4 | ipaddr.IPv6 {
    let nearest = peer;
    for (const hop of forwardedFor.split(',').slice(-HOPS_MAX).reverse()) {
      const address = parse(hop.trim());
      if (address === null) return nearest;
      nearest = address;
      if (!this.isTrusted(address)) return address;
    }
    return nearest;
  }
}

function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Addresses of IPv4 that came in as IPv6 are IPv4. */
function parse(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (text === undefined || !ipaddr.isValid(text)) return null;
  return ipaddr.process(text);
}

function describe(address: ipaddr.IPv4 | ipaddr.IPv6): ClientAddress {
  const ip = address.toString();
  if (address.kind() === 'ipv4') return { ip, bucket: ip };
  const network = address.toNormalizedString().split(':').slice(0, 4).join(':');
  return { ip, bucket: `${network}::/64` };
}
