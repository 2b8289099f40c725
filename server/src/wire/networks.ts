// Networks that a key may be used from: read from what a user wrote, and compared with where a request comes from.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `192.0.2.7` and `192.0.2.0/24` in their one spelling; null if the text is neither an address nor a network. */
export function networkText(text: string): string | null {
  if (ipaddr.isValidCIDR(text) && isIP(text.slice(0, text.indexOf('/'))) !== 0) {
    const [address, bits] = ipaddr.parseCIDR(text);
    const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
    return `${kind.networkAddressFromCIDR(`${address.toString()}/${bits}`)}/${bits}`;
  }
  if (isIP(text) === 0) return null;
  const address = ipaddr.process(text);
  return `${address.toString()}/${address.kind() === 'ipv4' ? 32 : 128}`;
}

/** Whether the address lies in one of the networks; in any if there are none. */
export function isWithin(networks: readonly string[], ip: string): boolean {
  if (networks.length === 0) return true;
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return networks.some((network) => {
    const range = ipaddr.parseCIDR(network);
    return range[0].kind() === address.kind() && address.match(range as never);
  });
}

/** Whether whoever may be in the first may be in the second: a key lets none in that its parent keeps out. */
export function areWithin(inner: readonly string[], outer: readonly string[]): boolean {
  if (outer.length === 0) return true;
  return inner.length > 0 && inner.every((network) => isNetworkWithin(network, outer));
}

function isNetworkWithin(network: string, outer: readonly string[]): boolean {
  const [address, bits] = ipaddr.parseCIDR(network);
  return outer.some((other) => {
    const range = ipaddr.parseCIDR(other);
    const isSameKind = range[0].kind() === address.kind();
    return isSameKind && range[1] <= bits && address.match(range as never);
  });
}
