// The Host header: every request names one, and the operator's listener is asked by its own names alone. A page of another
// site can have its own name lead to this machine, and would then be taken for a page of the console.
import type { IncomingMessage } from 'node:http';
import { type ApiError, fail } from '../handling/handler.ts';

const OWN = ['127.0.0.1', 'localhost', '::1'];
const READABLE = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::[0-9]{0,5})?$/i;

export class Hosts {
  readonly #names: ReadonlySet<string> | null;

  /** `more` are names of a proxy before the operator's listener; null takes every name. */
  constructor(more: readonly string[] | null) {
    this.#names = more && new Set([...OWN, ...more].map((name) => name.toLowerCase()));
  }

  /** Null if the name is one of them, on whatever port: tunnels have their own. No browser leaves the name out. */
  refusal(request: IncomingMessage): ApiError | null {
    if (!hasReadableHost(request)) return fail('BAD_REQUEST', { reason: UNREADABLE });
    const { host } = request.headers;
    if (host === undefined || this.#names === null || this.#names.has(nameOf(host))) return null;
    const reason = 'Host names another machine';
    const message =
      'The operator plane is asked as 127.0.0.1, localhost or [::1], or by a name that ADMIN_HOSTS has.';
    return fail('BAD_REQUEST', { reason }, message);
  }
}

const UNREADABLE =
  'send one Host header with a name or an address, and a port if it is not 80 or 443';

/** One Host header that can be read; HTTP/1.0, which health checks of load balancers speak, may leave it out. */
export function hasReadableHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const { host } = headers;
  if (host === undefined) return httpVersion === '1.0';
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1 && isReadable(host);
}

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
export function isReadable(host: string): boolean {
  return READABLE.test(host);
}

/** Without the port, and an address of IPv6 without its brackets. */
function nameOf(host: string): string {
  const named = READABLE.exec(host);
  return (named?.[1] ?? named?.[2] ?? '').toLowerCase();
}
