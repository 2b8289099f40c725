// What capped credentials have used of their day: fills and mints of the day, and what rests now (RK3).
import type { Account } from '../account/account.ts';
import type { TierCaps } from '../command.ts';
import type { State } from '../state.ts';

/** Of one key, or of one family in one tier. */
export class CapUse {
  #day = 0;
  #used = 0n;
  /** Limit × what its orders rest now. */
  resting = 0n;

  add(day: number, amount: bigint): void {
    if (this.#day !== day) {
      this.#day = day;
      this.#used = 0n;
    }
    this.#used += amount;
  }

  /** Filled and minted on a day; only the day last counted is remembered. */
  usedOn(day: number): bigint {
    return this.#day === day ? this.#used : 0n;
  }
}

/** The credential that an order belongs to, with the counts that it adds to; shared by all its orders. */
export interface Credential {
  readonly tier: string;
  readonly keyId: string;
  readonly key: CapUse;
  readonly family: CapUse;
}

/** All counts of a lane, and the credentials that found them before. */
export class CapUses {
  /** By key, and by family and tier. */
  readonly counts = new Map<string, CapUse>();
  readonly #credentials = new Map<string, Credential>();

  /** Null without caps: then nothing is counted. */
  credentialOf(account: Account, caps: Pick<TierCaps, 'tier' | 'keyId'> | null): Credential | null {
    if (caps === null) return null;
    const { tier, keyId } = caps;
    const family = account.family.id;
    const name = `${family}|${keyId}|${tier}`;
    const known = this.#credentials.get(name);
    if (known !== undefined) return known;
    const made: Credential = {
      tier,
      keyId,
      key: this.count(`key|${keyId}`),
      family: this.count(`family|${family}|${tier}`),
    };
    this.#credentials.set(name, made);
    return made;
  }

  count(scope: string): CapUse {
    const known = this.counts.get(scope);
    if (known !== undefined) return known;
    const made = new CapUse();
    this.counts.set(scope, made);
    return made;
  }
}

const DAY_MS = 86_400_000;

/** UTC days since the epoch. */
export function dayOf(nowMs: number): number {
  // Not by the remainder: of a number as large as a time it takes a library call.
  return (nowMs / DAY_MS) | 0; // exact: quotients lie at least 10⁻⁸ below the next integer, or on it
}

/** When the next day begins, and with it a new count of what is filled and minted. */
export function dayEndMs(nowMs: number): number {
  return (dayOf(nowMs) + 1) * DAY_MS;
}

/** The larger of what the key and the family in its tier have used today; `own` is the rest of the order at hand. */
export function useOf(
  state: State,
  credential: Credential,
  own: { readonly credential: Credential | null; readonly rest: bigint } | null = null,
): bigint {
  const day = dayOf(state.nowMs);
  const { key, family } = credential;
  let byKey = key.usedOn(day) + key.resting;
  let byFamily = family.usedOn(day) + family.resting;
  if (own !== null && own.credential !== null) {
    if (own.credential.key === key) byKey -= own.rest;
    if (own.credential.family === family) byFamily -= own.rest;
  }
  return byKey > byFamily ? byKey : byFamily;
}

/** For readers: what a credential of the account has used of its day. */
export function capUseOf(state: State, account: Account, caps: TierCaps): bigint {
  const credential = state.capUses.credentialOf(account, caps);
  return credential === null ? 0n : useOf(state, credential);
}

/** A fill or a mint of today. */
export function countUse(state: State, credential: Credential | null, amount: bigint): void {
  if (credential === null) return;
  const day = dayOf(state.nowMs);
  credential.key.add(day, amount);
  credential.family.add(day, amount);
}

/** More or less of it rests. */
export function countRest(credential: Credential, amount: bigint): void {
  credential.key.resting += amount;
  credential.family.resting += amount;
}
