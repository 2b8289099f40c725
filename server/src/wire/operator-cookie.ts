// The cookie that keeps an operator signed in at the console: how it is written, and in whose calls it counts.
import type { IncomingHttpHeaders } from 'node:http';
import { limits } from '@sibyl/contract';
import { callerOf } from './calling-page.ts';

type CookieHeader = { readonly 'set-cookie': string };

const NAME = 'sibyl_operator';

/**
 * Null if the request has none that counts. Browsers send a cookie along whoever wrote the page, and to every port of its
 * host, where the pages for everybody are too: it counts in calls of the console's own page alone.
 */
export function readOperatorCookie(headers: IncomingHttpHeaders): string | null {
  if (callerOf({ headers }, null) !== 'own_page') return null;
  const start = `${NAME}=`;
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
}

/** Has the browser keep the token as long as its session lasts at most. */
export function keepOperatorCookie(token: string): CookieHeader {
  return cookieOf(token, limits.operator.sessionMs / 1000);
}

export function clearOperatorCookie(): CookieHeader {
  return cookieOf('', 0);
}

/** Only calls of the plane get it, not even the files of the console. */
function cookieOf(value: string, maxAgeSec: number): CookieHeader {
  const attributes = `Path=/admin; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSec}`;
  return { 'set-cookie': `${NAME}=${value}; ${attributes}` };
}
