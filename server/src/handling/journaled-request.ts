// What the journal keeps of the request beside its command: its id, and the nonce of one that was signed.
import type { Actor } from '@sibyl/engine';

/** A nonce, and the key that it belongs to. */
export interface SpentNonce {
  readonly publicId: string;
  readonly nonce: string;
}

/** What stands behind the id of the request. Of a key that the record names anyway, as the one that acts, the nonce alone. */
export function journaledNonce(spent: SpentNonce | null | undefined, actor: Actor): string | null {
  if (spent === null || spent === undefined) return null;
  const isNamed = actor.kind === 'account' && actor.keyId === spent.publicId;
  return isNamed ? spent.nonce : spelledNonce(spent);
}

/** The id of the request alone. */
export function requestIdIn(journaled: string): string {
  const end = journaled.indexOf(' ');
  return end === -1 ? journaled : journaled.slice(0, end);
}

/** As it is written down where nothing else names the key. */
export function spelledNonce({ publicId, nonce }: SpentNonce): string {
  return `${publicId} ${nonce}`;
}

const SPENT_FORM = /^\S+ (?:(sk_(?:live|test)_[0-9A-Za-z]{16}) )?(\S+)$/;
const ACTING_KEY_FORM = /^\S+ (sk_(?:live|test)_[0-9A-Za-z]{16})$/;

/** Null for a request that was not signed. */
export function nonceIn({
  requestId,
  actor,
}: {
  readonly requestId: string;
  readonly actor: string;
}): SpentNonce | null {
  const [, named, nonce] = SPENT_FORM.exec(requestId) ?? [];
  const publicId = named ?? ACTING_KEY_FORM.exec(actor)?.[1];
  return publicId === undefined || nonce === undefined ? null : { publicId, nonce };
}
