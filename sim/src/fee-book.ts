// Where every fee went that was ever charged: each unit is unvested, vested, paid or given back, and in one of these only.
import type { State } from '@sibyl/engine';
import { splitFee } from './naive/fees.ts';
import type { EventOf, PlainEvent, PlainParameters } from './naive/plain.ts';
import { PLATFORM } from './naive/world.ts';

/** Of one actor; `received` is what came to it otherwise than by fees, as dust and lost bonds come to insurance. */
export interface FeeAccount {
  charged: bigint;
  received: bigint;
  unvested: bigint;
  vested: bigint;
  paid: bigint;
  returned: bigint;
}

/**
 * What was charged is added up from what trades, conversions and settlements say; what was paid and given back from entries
 * of the ledger; what is unvested and vested is read from balances. Nothing of it is taken from another.
 */
export class FeeBook {
  readonly #accounts = new Map<string, FeeAccount>();
  readonly #creators = new Map<string, string>();
  readonly #referrers = new Map<string, string | null>();
  /** By account, the owner of its family. */
  readonly #owners = new Map<string, string>();
  #fees = 0n;
  #rebates = 0n;

  learn(events: readonly PlainEvent[], parameters: PlainParameters): void {
    for (const event of events) {
      switch (event.type) {
        case 'account_opened':
          this.#owners.set(event.accountId, event.parentId ?? event.accountId);
          this.#referrers.set(event.accountId, event.referrerId);
          break;
        case 'demo_registered':
          this.#referrers.set(event.accountId, event.referrerId);
          break;
        case 'market_created':
          this.#creators.set(event.marketId, event.accountId);
          break;
        case 'trade_executed':
          this.#trade(event);
          break;
        case 'sets_converted':
          this.#conversion(event, parameters);
          break;
        case 'position_settled':
          this.#fees += event.settleFee;
          this.#of('treasury').charged += event.settleFee;
          break;
        case 'ledger_posted':
          this.#entry(event);
          break;
      }
    }
  }

  /** By actor, or by actor and id, with what the ledger holds for each now. */
  accounts(state: State): ReadonlyMap<string, FeeAccount> {
    for (const account of this.#accounts.values()) {
      account.unvested = 0n;
      account.vested = 0n;
    }
    for (const { name, balance } of state.ledger.accounts()) {
      const [, unvested] = UNVESTED.exec(name) ?? [];
      const vested = name === 'insurance' ? name : VESTED.exec(name)?.[1];
      if (unvested !== undefined) this.#of(unvested).unvested += balance;
      else if (vested !== undefined) this.#of(vested).vested += balance;
    }
    return this.#accounts;
  }

  /** What is wrong, or null. */
  fault(state: State): string | null {
    let charged = this.#rebates;
    for (const [key, each] of this.accounts(state)) {
      charged += each.charged;
      const came = each.charged + each.received;
      const found = each.unvested + each.vested + each.paid + each.returned;
      if (came !== found) return `fees of ${key}: ${came} came, ${found} are found`;
    }
    return charged === this.#fees ? null : `of ${this.#fees} in fees the parts are ${charged}`;
  }

  #trade(trade: EventOf<'trade_executed'>): void {
    const { split, builderFee, builderAppId, marketId, takerId } = trade;
    this.#fees += trade.fee + builderFee;
    this.#rebates += split.maker;
    if (builderAppId !== null) this.#of(`builder:${builderAppId}`).charged += builderFee;
    this.#parts(split, marketId, takerId, builderAppId);
  }

  #conversion(event: EventOf<'sets_converted'>, parameters: PlainParameters): void {
    const { fee, marketId, accountId } = event;
    this.#fees += fee;
    const actors = {
      creator: this.#creators.get(marketId) !== PLATFORM,
      builder: false,
      referrer: this.#isReferred(accountId),
    };
    this.#parts(splitFee(fee, 0n, actors, parameters), marketId, accountId, null);
  }

  /** A referrer of its own family earns nothing. */
  #isReferred(accountId: string): boolean {
    const referrerId = this.#referrers.get(accountId) ?? null;
    return referrerId !== null && this.#owners.get(referrerId) !== this.#owners.get(accountId);
  }

  #parts(
    split: EventOf<'trade_executed'>['split'],
    marketId: string,
    payerId: string,
    appId: string | null,
  ): void {
    const { creator, builder, referrer, oracle, insurance, treasury } = split;
    if (creator > 0n) this.#of(`creator:${this.#creators.get(marketId)}`).charged += creator;
    if (builder > 0n) this.#of(`builder:${appId}`).charged += builder;
    if (referrer > 0n) this.#of(`referrer:${this.#referrers.get(payerId)}`).charged += referrer;
    this.#of('oracle').charged += oracle;
    this.#of('insurance').charged += insurance;
    this.#of('treasury').charged += treasury;
  }

  #entry({ reason, accounts, amounts }: EventOf<'ledger_posted'>): void {
    for (const [index, name] of accounts.entries()) {
      const amount = amounts[index] ?? 0n;
      const [, unvested] = UNVESTED.exec(name) ?? [];
      const vested = name === 'insurance' ? name : VESTED.exec(name)?.[1];
      if (reason === 'refund' && unvested !== undefined) this.#of(unvested).returned -= amount;
      if (vested === undefined) continue;
      if (reason === 'revenue') this.#of(vested).paid -= amount;
      else if (name === 'insurance' && reason !== 'vesting') this.#of(name).received += amount;
    }
  }

  #of(key: string): FeeAccount {
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const made = { charged: 0n, received: 0n, unvested: 0n, vested: 0n, paid: 0n, returned: 0n };
    this.#accounts.set(key, made);
    return made;
  }
}

/** Nobody is paid what oracles earn yet: it waits as vested. */
const ROLES = {
  creator: ['charged', 'paid'],
  builder: ['charged', 'paid'],
  referrer: ['charged', 'paid'],
  oracle: ['charged', 'vested'],
  insurance: ['charged', 'paid'],
  treasury: ['charged', 'paid'],
} as const;

/** What never happened, such as `builder paid`: a run that charges or pays an actor nothing shows nothing of its fees. */
export function unseenFees(accounts: ReadonlyMap<string, FeeAccount>): readonly string[] {
  return Object.entries(ROLES).flatMap(([role, places]) => {
    const own = [...accounts].filter(([key]) => key.split(':')[0] === role);
    return places
      .filter((place) => own.every(([, account]) => account[place] === 0n))
      .map((place) => `${role} ${place}`);
  });
}

const UNVESTED = /^market:[^:]+:fees:(.+)$/;
const VESTED = /^fees:(.+)$/;
