// What capped credentials and grants have used of their day: fills and mints of the day, and what rests now (RK3, RK4).

import { type Row, Tallies } from '../kit/tallies.ts';
import type { Account } from './account.ts';
import type { GrantTerms, TierCaps } from './command.ts';
import type { State } from './state.ts';

const USED = 0;
const RESTING = 1;
const AMOUNTS = 2;

/** Of one key, of one family in one tier, of one grant, or of a family's faucet. Every order and every fill changes it, so nothing is made for that. */
export class CapUse {
  readonly #tallies: Tallies;
  readonly #row: Row;
  #day = 0;

  constructor(tallies: Tallies) {
    this.#tallies = tallies;
    this.#row = tallies.open();
  }

  /** Adds what one order came to. A count that is full stays: no cap is as large, and nobody is stopped for a count. */
  add(day: number, amount: number): void {
    if (this.#day !== day) this.restore(day, 0n);
    if (!this.#tallies.isFull(this.#row, USED)) this.#tallies.addMicro(this.#row, USED, amount);
  }

  /** As it was when a snapshot was taken. */
  restore(day: number, used: bigint): void {
    this.#day = day;
    this.#tallies.set(this.#row, USED, used);
  }

  /** Filled and minted on a day; only the day last counted is remembered. */
  usedOn(day: number): bigint {
    return this.#day === day ? this.#tallies.get(this.#row, USED) : 0n;
  }

  /** More or less of one order rests. */
  rest(amount: number): void {
    this.#tallies.addMicro(this.#row, RESTING, amount);
  }

  /** Limit × what its orders rest now. */
  get resting(): bigint {
    return this.#tallies.get(this.#row, RESTING);
  }
}

/** A key with caps, and the counts that its orders add to. */
interface CappedKey {
  readonly tier: string;
  readonly keyId: string;
  readonly key: CapUse;
  readonly family: CapUse;
}

interface UsedGrant {
  readonly grantId: string;
  readonly use: CapUse;
}

/** What an order belongs to, with the counts that it adds to: caps, a grant or both. Shared by all its orders. */
export interface Credential {
  readonly capped: CappedKey | null;
  readonly grant: UsedGrant | null;
}

type NamedCaps = Pick<TierCaps, 'tier' | 'keyId'>;
type NamedGrant = Pick<GrantTerms, 'grantId'>;

const GRANT = 'grant|';

/** All counts of a lane, and the credentials that found them before. */
export class CapUses {
  /** By key, by family and tier, by grant, and by family of which resets freed the faucet. */
  readonly counts = new Map<string, CapUse>();
  readonly #tallies = new Tallies(AMOUNTS);
  readonly #credentials = new Map<string, Credential>();

  /** Null without caps and grant: then nothing is counted. Most orders come by the credential of the one before. */
  credentialOf(
    account: Account,
    caps: NamedCaps | null,
    grant: NamedGrant | null,
  ): Credential | null {
    if (caps === null && grant === null) return null;
    const { latestCredential: latest } = account;
    if (latest !== null && isOf(latest, caps, grant)) return latest;
    const found = this.#find(account, caps, grant);
    account.latestCredential = found;
    return found;
  }

  count(scope: string): CapUse {
    const known = this.counts.get(scope);
    if (known !== undefined) return known;
    const made = new CapUse(this.#tallies);
    this.counts.set(scope, made);
    return made;
  }

  #find(account: Account, caps: NamedCaps | null, grant: NamedGrant | null): Credential {
    const family = account.family.id;
    // Without caps it is the same for every family.
    const ofCaps = caps === null ? '' : `${family}|${caps.keyId}|${caps.tier}`;
    const name = `${ofCaps}|${grant?.grantId ?? ''}`;
    const known = this.#credentials.get(name);
    if (known !== undefined) return known;
    const made: Credential = {
      capped: caps === null ? null : this.#cappedKey(family, caps),
      grant: grant === null ? null : this.#usedGrant(grant),
    };
    this.#credentials.set(name, made);
    return made;
  }

  #cappedKey(family: string, { tier, keyId }: NamedCaps): CappedKey {
    const key = this.count(`key|${keyId}`);
    return { tier, keyId, key, family: this.count(`family|${family}|${tier}`) };
  }

  #usedGrant({ grantId }: NamedGrant): UsedGrant {
    return { grantId, use: this.count(`${GRANT}${grantId}`) };
  }
}

/** Whether it is that of these caps and this grant, of an account of the same family. */
function isOf(
  { capped, grant: used }: Credential,
  caps: NamedCaps | null,
  grant: NamedGrant | null,
): boolean {
  if ((capped === null) !== (caps === null) || (used === null) !== (grant === null)) return false;
  if (grant !== null && used!.grantId !== grant.grantId) return false;
  return caps === null || (capped!.keyId === caps.keyId && capped!.tier === caps.tier);
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

/** The rest of the order at hand, which does not count against itself. */
export interface OwnRest {
  readonly credential: Credential | null;
  readonly rest: bigint;
}

/** The larger of what the key and the family in its tier have used today. */
export function useOf(state: State, { capped }: Credential, own: OwnRest | null = null): bigint {
  if (capped === null) return 0n;
  const day = dayOf(state.nowMs);
  const { key, family } = capped;
  let byKey = key.usedOn(day) + key.resting;
  let byFamily = family.usedOn(day) + family.resting;
  const mine = own?.credential?.capped ?? null;
  if (own !== null && mine !== null) {
    if (mine.key === key) byKey -= own.rest;
    if (mine.family === family) byFamily -= own.rest;
  }
  return byKey > byFamily ? byKey : byFamily;
}

/** What was done under a grant today, and what rests under it. */
export function grantUseOf(
  state: State,
  { grant }: Credential,
  own: OwnRest | null = null,
): bigint {
  if (grant === null) return 0n;
  const used = grant.use.usedOn(dayOf(state.nowMs)) + grant.use.resting;
  const isOwn = own?.credential?.grant?.use === grant.use;
  return own !== null && isOwn ? used - own.rest : used;
}

/** For readers: what a credential of the account has used of its day. */
export function capUseOf(state: State, account: Account, caps: TierCaps): bigint {
  const credential = state.capUses.credentialOf(account, caps, null);
  return credential === null ? 0n : useOf(state, credential);
}

/** For readers: the grants that orders rest under. */
export function restingGrants(state: State): string[] {
  const grantIds: string[] = [];
  for (const [scope, { resting }] of state.capUses.counts) {
    if (resting > 0n && scope.startsWith(GRANT)) grantIds.push(scope.slice(GRANT.length));
  }
  return grantIds;
}

/** A fill or a mint of today. */
export function countUse(state: State, credential: Credential | null, amount: number): void {
  if (credential === null) return;
  const day = dayOf(state.nowMs);
  const { capped, grant } = credential;
  if (capped !== null) {
    capped.key.add(day, amount);
    capped.family.add(day, amount);
  }
  if (grant !== null) grant.use.add(day, amount);
}

/** More or less of it rests. */
export function countRest({ capped, grant }: Credential, amount: number): void {
  if (capped !== null) {
    capped.key.rest(amount);
    capped.family.rest(amount);
  }
  if (grant !== null) grant.use.rest(amount);
}
