// The client's address: the peer, or what trusted proxies say of it; and the bucket it counts in.
import { isIP } from 'node:net';
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

  /** Whether the peer is one of the proxies, and its connection so that of many clients. */
  isProxy(peer: string | undefined): boolean {
    const address = parse(peer);
    return address !== null && this.#isTrusted(address);
  }

  /** Of a list that cannot be read, only the peer is known; whether it can be is asked first, by `canRead`. */
  read(peer: string | undefined, forwardedFor: string | undefined): ClientAddress {
    const nearest = parse(peer);
    if (nearest === null) return UNKNOWN;
    if (forwardedFor === undefined || !this.#isTrusted(nearest)) return describe(nearest);
    return describe(this.#rightmostUntrusted(forwardedFor) ?? nearest);
  }

  /** False if a trusted proxy says what nobody can make out: whose request this is, is not known then. */
  canRead(peer: string | undefined, forwardedFor: string): boolean {
    return !this.isProxy(peer) || this.#rightmostUntrusted(forwardedFor) !== null;
  }

  #isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    return this.#trusted.some(
      ([network, bits]) =>
        network.kind() === address.kind() && address.match([network, bits] as never),
    );
  }

  /** What stands left of the first untrusted hop was written by the client itself. Null if a hop cannot be read. */
  #rightmostUntrusted(forwardedFor: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
    const hops = forwardedFor.split(',').reverse();
    let farthest: ipaddr.IPv4 | ipaddr.IPv6 | null = null;
    for (const hop of hops.slice(0, HOPS_MAX)) {
      farthest = parse(withoutPort(hop.trim()));
      if (farthest === null || !this.#isTrusted(farthest)) return farthest;
    }
    // All were proxies of ours: the farthest of them asks in its own name, if there is nobody behind it.
    return hops.length > HOPS_MAX ? null : farthest;
  }
}

function rangeOf(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Some proxies name the port of a hop too. */
function withoutPort(hop: string): string {
  const [, address] =
    /^\[([^\]]+)\](?::[0-9]{1,5})?$/.exec(hop) ?? /^([0-9.]+):[0-9]{1,5}$/.exec(hop) ?? [];
  return address ?? hop;
}

/** Addresses of IPv4 that came in as IPv6 are IPv4. */
function parse(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (text === undefined || isIP(text) === 0) return null;
  return ipaddr.process(text);
}

function describe(address: ipaddr.IPv4 | ipaddr.IPv6): ClientAddress {
  const ip = address.toString();
  if (address.kind() === 'ipv4') return { ip, bucket: ip };
  const network = address.toNormalizedString().split(':').slice(0, 4).join(':');
  return { ip, bucket: `${network}::/64` };
}
