// The address that stands for the creator of a market: the wallet, or one derived from the account.
import { createHash } from 'node:crypto';

const ADDRESS_DIGITS = 40;

/** Account ids are unique over all lanes and servers, so that one map serves a process. */
const wallets = new Map<string, string>();
const derived = new Map<string, string>();

/** Null takes the wallet back. */
export function setCreatorWallet(accountId: string, address: string | null): void {
  if (address === null) wallets.delete(accountId);
  else wallets.set(accountId, address);
}

export function creatorAddress(accountId: string): string {
  return wallets.get(accountId) ?? derivedAddress(accountId);
}

/** Whether markets of the account are found by the address, in either case of its letters. */
export function isCreator(accountId: string, address: string): boolean {
  const wanted = address.toLowerCase();
  return creatorAddress(accountId).toLowerCase() === wanted || derivedAddress(accountId) === wanted;
}

/** An address that nobody holds. */
function derivedAddress(accountId: string): string {
  const known = derived.get(accountId);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(accountId).digest('hex');
  const address = `0x${digest.slice(0, ADDRESS_DIGITS)}`;
  derived.set(accountId, address);
  return address;
}
