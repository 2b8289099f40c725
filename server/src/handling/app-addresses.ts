// Addresses of apps: where codes may be sent, and which pages may use the widget key.

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Visible ASCII without the backslash, which browsers read as a slash. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;

/** What a redirect URI fails to be, or null. */
export function redirectFault(text: string): string | null {
  const url = PLAIN.test(text) ? URL.parse(text) : null;
  if (url === null) return 'a whole address, such as https://example.com/callback';
  if (!isSafe(url)) return 'https, or http on 127.0.0.1, [::1] or localhost';
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return 'an address without userinfo';
  if (text.includes('#')) return 'an address without a fragment';
  if (url.hostname.includes('*')) return 'one host, not a pattern';
  // What browsers would read as another text could be taken for another place than it leads to.
  const isCanonical = url.href === text || url.href === `${text}/`;
  return isCanonical ? null : `an address as browsers write it: ${url.href}`;
}

/** What an origin fails to be, or null. */
export function originFault(text: string): string | null {
  const url = PLAIN.test(text) ? URL.parse(text) : null;
  if (url !== null && isSafe(url) && url.origin === text) return null;
  return 'an origin as browsers send it, such as https://example.com';
}

/** Whether codes may be sent there: one of the registered, as it is written; on a loopback address the port may differ. */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const portless = withoutPort(asked);
  return portless !== null && registered.some((one) => withoutPort(one) === portless);
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/** Null unless it is http on a loopback address; what is not well-formed has no such form. */
function withoutPort(text: string): string | null {
  if (redirectFault(text) !== null) return null;
  const [, host, path] =
    /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?([/?].*|)$/.exec(text) ?? [];
  return host === undefined ? null : `${host}${path}`;
}
