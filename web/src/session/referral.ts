// Who invited the reader: the code of the link that they first came by, kept until they register.

const NAME = 'ref';
const STORED = 'sibyl.referral';
const KEPT_MS = 30 * 86_400_000;
const CODE = /^[\w-]{1,64}$/;

/** To be called when a page is opened. Whoever invited first stays the one, unless that is long ago. */
export function keepReferral(search: string, nowMs: number): void {
  const code = new URLSearchParams(search).get(NAME) ?? '';
  if (!CODE.test(code) || keptReferral(nowMs) !== null) return;
  try {
    localStorage.setItem(STORED, JSON.stringify({ code, keptAtMs: nowMs }));
  } catch {
    // Storage is closed: nobody is remembered, and everything else works.
  }
}

/** Null where nobody has invited, or longer than thirty days ago. */
export function keptReferral(nowMs: number): string | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    const { code, keptAtMs } = kept as Readonly<Record<string, unknown>>;
    if (typeof code !== 'string' || typeof keptAtMs !== 'number' || !CODE.test(code)) return null;
    // A clock that was set back is no reason to keep it longer.
    return Math.abs(nowMs - keptAtMs) < KEPT_MS ? code : null;
  } catch {
    return null;
  }
}

export function forgetReferral(): void {
  try {
    localStorage.removeItem(STORED);
  } catch {
    // Storage is closed: nothing is in it.
  }
}

/** The address with the code of whoever shares it. */
export function invitingAddress(address: string, code: string | null | undefined): string {
  if (code === null || code === undefined) return address;
  const url = new URL(address);
  url.searchParams.set(NAME, code);
  return url.href;
}
