// Which exchange the page is about: the address says it, and a page never changes its lane without loading anew.

export type Lane = 'live' | 'sandbox';

const PREFIX = '/sandbox';

/** The server says in the head of the page what it runs; one that runs a single lane has it at every address. */
const run = document.querySelector<HTMLMetaElement>('meta[name=sibyl-lanes]')?.content ?? 'both';

export const lanes: readonly Lane[] =
  run === 'live' || run === 'sandbox' ? [run] : ['live', 'sandbox'];

const isBelowPrefix = /^\/sandbox(?:\/|$)/.test(location.pathname);

export const lane: Lane =
  lanes.length === 1 ? (lanes[0] ?? 'live') : isBelowPrefix ? 'sandbox' : 'live';

/** What the addresses of this lane's pages and calls begin with. */
export const basePath: string = isBelowPrefix ? PREFIX : '';

/** The same for calls to another lane that is run. */
export function baseOf(other: Lane): string {
  if (other === lane) return basePath;
  return other === 'sandbox' ? PREFIX : '';
}

/** The same page in another lane. */
export function addressIn(other: Lane): string {
  const path = location.pathname.slice(basePath.length);
  return `${other === 'sandbox' ? PREFIX : ''}${path === '' ? '/' : path}`;
}

const WISH = 'sibyl.lane';

/** To be called when somebody goes to a lane on purpose. */
export function wishFor(wanted: Lane): void {
  sessionStorage.setItem(WISH, wanted);
}

export function isWishedFor(wanted: Lane): boolean {
  return sessionStorage.getItem(WISH) === wanted;
}
