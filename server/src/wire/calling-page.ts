// Which page a call came from: one of this exchange, one of another site, or none, as with programs.
import type { RequestContext } from '../handling/handler.ts';

export type Caller = 'own_page' | 'foreign_page' | 'program';

type Called = Pick<RequestContext, 'headers'>;

/** `publicUrl` is where clients reach the pages; null if that is this machine. */
export function callerOf({ headers }: Called, publicUrl: string | null): Caller {
  const { 'sec-fetch-site': site, origin, host } = headers;
  // Pages cannot set either header. The first is the browser's own judgement, right behind any proxy.
  if (site !== undefined) return site === 'same-origin' ? 'own_page' : 'foreign_page';
  if (origin === undefined) return 'program';
  return isOwnOrigin(origin, host, publicUrl) ? 'own_page' : 'foreign_page';
}

function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string | null): boolean {
  // Where the own address is known, nothing that a caller says of it counts.
  if (publicUrl !== null) return origin === publicUrl;
  if (host === undefined) return false;
  return origin === `https://${host}` || origin === `http://${host}`;
}
