// Open orders of whoever is blocked from trading: withdrawn soon after the block begins, so that no money leaves by a fill.

import type { AccountId, LaneName } from '@sibyl/engine';
import { asAccountId } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import { ANY_TIER } from '../handling/payout-obstacle.ts';
import type { PlatformStore, UserRecord } from '../ports/platform.ts';
import type { ComplianceOffice } from './office.ts';

export interface BlockedParts {
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly platform: PlatformStore;
  readonly office: ComplianceOffice;
  readonly clock: Clock;
  readonly log: { write(level: 'warn', message: string): void };
}

/** A user, or everybody who has open orders. */
type Whose = string | typeof EVERYBODY;

const EVERYBODY = Symbol('everybody');
/** Longer than a request takes: one that was let in before the block may bring an order after it. */
const LOOK_AGAIN_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * Looks at everybody at the start, which makes up for a crash between a block and the withdrawal, and when other rules hold; at a
 * user when anything of him changes, flags and the country among it.
 */
export class BlockedOrders {
  readonly #parts: BlockedParts;
  readonly #stopListening: readonly (() => void)[];
  /** Looks to come; one for each. */
  readonly #alarms = new Map<Whose, () => void>();
  /** Looks that did not succeed yet; while there is one, it is an outage. */
  readonly #failing = new Set<Whose>();
  #failures = 0;
  /** One look after the other. */
  #work: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: BlockedParts) {
    this.#parts = parts;
    this.#stopListening = [
      parts.office.onChange(() => this.#look(EVERYBODY, true)),
      parts.platform.onChange((change) => {
        if (change.kind === 'user') this.#look(change.userId, true);
      }),
    ];
    this.#look(EVERYBODY, false);
  }

  /** When all that was to be looked at has been. */
  settled(): Promise<void> {
    return this.#work;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#stopListening) stop();
    for (const stop of this.#alarms.values()) stop();
    await this.#work;
  }

  #look(whose: Whose, isChanged: boolean): void {
    // Without rules nobody is blocked.
    if (this.#parts.office.record === null) return;
    this.#work = this.#work.then(async () => {
      if (this.#isStopped) return;
      try {
        await this.#withdraw(whose);
        this.#noteSuccess(whose);
        if (isChanged) this.#lookLater(LOOK_AGAIN_MS, whose, false);
      } catch (error) {
        this.#noteFailure(whose, error);
        this.#lookLater(RETRY_MS, whose, isChanged);
      }
    });
  }

  /** Told once, however often it is tried again. */
  #noteFailure(whose: Whose, error: unknown): void {
    if (this.#failing.size === 0) {
      this.#parts.log.write('warn', `orders of the blocked still rest: ${String(error)}`);
    }
    this.#failing.add(whose);
    this.#failures += 1;
  }

  #noteSuccess(whose: Whose): void {
    if (!this.#failing.delete(whose) || this.#failing.size > 0) return;
    const tries = `after ${this.#failures} failed attempts`;
    this.#parts.log.write('warn', `orders of the blocked are withdrawn again, ${tries}`);
    this.#failures = 0;
  }

  #lookLater(delayMs: number, whose: Whose, isChanged: boolean): void {
    if (this.#isStopped) return;
    this.#alarms.get(whose)?.();
    const stop = this.#parts.clock.setAlarm(delayMs, () => {
      this.#alarms.delete(whose);
      this.#look(whose, isChanged);
    });
    this.#alarms.set(whose, stop);
  }

  async #withdraw(whose: Whose): Promise<void> {
    const { lanes, platform } = this.#parts;
    if (whose !== EVERYBODY) {
      const user = await platform.userById(whose);
      for (const lane of Object.values(lanes)) await this.#withdrawOf(user, lane);
      return;
    }
    for (const lane of Object.values(lanes)) {
      for (const ownerId of await ownersOfOrders(lane)) {
        await this.#withdrawOf(await platform.userByAccount(ownerId), lane);
      }
    }
  }

  async #withdrawOf(user: UserRecord | null, lane: Lane): Promise<void> {
    if (user === null) return;
    const accountIds = await withOrders(lane, asAccountId(user.accounts[lane.name]));
    if (accountIds.length === 0) return;
    const restrictions = await this.#parts.office.restrictionsOf(user, ANY_TIER);
    const block = restrictions[lane.name].find(({ operations }) => operations.includes('trade'));
    if (block === undefined) return;
    const all = { marketId: null, outcomeId: null, side: null, orderIds: null };
    for (const accountId of accountIds) {
      const { answer } = await lane.submit({
        body: { type: 'cancel_orders', accountId, ...all },
        actor: { kind: 'operator', name: 'compliance', reason: `${block.code} ${block.ruleId}` },
        requestId: 'blocked',
      });
      // Not found is a subaccount that was closed meanwhile, which takes that it has no orders.
      if (!answer.ok && answer.rejection.code !== 'NOT_FOUND') {
        throw new Error(`${accountId}: ${answer.rejection.code}`);
      }
    }
  }
}

function ownersOfOrders(lane: Lane): Promise<ReadonlySet<AccountId>> {
  return lane.read(({ accounts }) => {
    const owners = new Set<AccountId>();
    for (const { openOrders, family } of accounts.values()) {
      if (openOrders > 0) owners.add(family.id);
    }
    return owners;
  });
}

/** Those of the family that have open orders. */
function withOrders(lane: Lane, ownerId: AccountId): Promise<readonly AccountId[]> {
  return lane.read(({ accounts }) => {
    const members = accounts.get(ownerId)?.family.sorted() ?? [];
    return members.filter(({ openOrders }) => openOrders > 0).map(({ id }) => id);
  });
}
