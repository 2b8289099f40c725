// What the journal keeps of the request beside its command: its id, and the nonce of one that was signed.

/** The id of the request comes first. */
export function withNonce(requestId: string, spent: string | null | undefined): string {
  return spent === null || spent === undefined ? requestId : `${requestId} ${spent}`;
}

/** The id of the request alone. */
export function requestIdIn(journaled: string): string {
  const end = journaled.indexOf(' ');
  return end === -1 ? journaled : journaled.slice(0, end);
}

/** A nonce as it is written down: with the key that it belongs to. */
export function spentNonce(publicId: string, nonce: string): string {
  return `${publicId} ${nonce}`;
}

export interface SpentNonce {
  readonly publicId: string;
  readonly nonce: string;
}

const SPENT_FORM = /^\S+ (sk_(?:live|test)_[0-9A-Za-z]{16}) (\S+)$/;

/** Null for a request that was not signed. */
export function nonceIn(journaled: string): SpentNonce | null {
  const [, publicId, nonce] = SPENT_FORM.exec(journaled) ?? [];
  return publicId === undefined || nonce === undefined ? null : { publicId, nonce };
}
