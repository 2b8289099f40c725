// In which order keys are listed, and which of them belong to a page.
import type { KeyPage, KeyRecord } from '../../ports/platform.ts';

export function environmentOf({ mintedAt, tier }: KeyRecord): 'live' | 'sandbox' {
  return mintedAt === 'sandbox' || tier === 'self_serve' ? 'sandbox' : 'live';
}

export function newestFirst(a: KeyRecord, b: KeyRecord): number {
  if (a.createdAtMs !== b.createdAtMs) return b.createdAtMs - a.createdAtMs;
  return a.publicId < b.publicId ? 1 : -1;
}

export function isAfter(key: KeyRecord, { after }: KeyPage): boolean {
  if (after === null) return true;
  if (key.createdAtMs !== after.createdAtMs) return key.createdAtMs < after.createdAtMs;
  return key.publicId < after.publicId;
}
