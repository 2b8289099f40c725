// Takes withdrawals from the lane's records to their end: sent before the custody is asked, ended when it has answered.
import { assert, type State, type WithdrawalRecord, type WithdrawalStep } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import { ownerOf } from '../handling/payout-obstacle.ts';
import type { Custody, PayoutState } from '../ports/custody.ts';
import { payoutOf } from './payout.ts';

/** What is asked of a custody here. */
export type Payer = Pick<Custody, 'name' | 'pay' | 'settle' | 'due'>;

export interface WithdrawalWorkerOptions {
  readonly lane: Pick<Lane, 'submit' | 'read'>;
  readonly custody: Payer;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** Whether nothing that is kept beside the lane stands against paying this owner now. */
  readonly mayBePaid: (ownerId: string) => Promise<boolean>;
  /** Told of what needs a person: the custody and the ledger contradict each other. */
  readonly alarm: (message: string, withdrawalId: string) => void;
  readonly failed: (error: unknown) => void;
  readonly everyMs?: number;
}

interface Ready {
  readonly withdrawal: WithdrawalRecord;
  readonly ownerId: string;
}

const EVERY_MS = 1_000;
/** A custody that is silent, and a lane that refuses, are asked after ever longer pauses, up to this. */
const PAUSE_MAX_MS = 60_000;
const AT_ONCE = 8;

/**
 * All that it knows is in the lane, so that one that was killed at any point is continued by the next: what is `sent`
 * may or may not have reached the custody, and is asked for again under the same id.
 */
export class WithdrawalWorker {
  readonly #options: WithdrawalWorkerOptions;
  readonly #pauses = new Map<string, { readonly untilMs: number; readonly lengthMs: number }>();
  /** Those that a custody whose payouts people make was told of. */
  readonly #due = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> = Promise.resolve();

  constructor(options: WithdrawalWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    const { everyMs = EVERY_MS, failed } = this.#options;
    const next = (): void => {
      this.#round = this.round().catch(failed);
      void this.#round.then(() => {
        if (this.#timer === null) return;
        this.#timer = setTimeout(next, everyMs);
        this.#timer.unref();
      });
    };
    this.#timer = setTimeout(next, 0);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#round;
  }

  /** One look at everything that is under way. */
  async round(): Promise<void> {
    const { lane } = this.#options;
    const ready = await lane.read((state) =>
      this.#readyIn(state).map((withdrawal) => ({
        withdrawal,
        ownerId: ownerOf(state, withdrawal),
      })),
    );
    for (let from = 0; from < ready.length; from += AT_ONCE) {
      await Promise.all(ready.slice(from, from + AT_ONCE).map((each) => this.#drive(each)));
    }
  }

  #readyIn({ funds, accounts, nowMs }: State): readonly WithdrawalRecord[] {
    const { custody, clock } = this.#options;
    const wallMs = clock.wallMs();
    const open = [...funds.openWithdrawals()];
    this.#forgetOthers(open);
    return open.filter((each) => {
      if (each.custody !== custody.name) return false;
      // The lane would refuse it and write that down, as often as it is asked: a freeze must not fill the journal.
      if (each.state !== 'sent' && accounts.get(each.accountId)?.frozen) return false;
      const pause = this.#pauses.get(each.withdrawalId);
      if (pause !== undefined && wallMs < pause.untilMs) return false;
      if (each.state !== 'held') return true;
      const latestMs = nowMs > wallMs ? nowMs : wallMs;
      return !each.needsApproval && (each.heldUntilMs ?? 0) <= latestMs;
    });
  }

  async #drive({ withdrawal, ownerId }: Ready): Promise<void> {
    const { withdrawalId } = withdrawal;
    // Looked at only now: while others were paid its owner may have changed the password, or have been put on a list.
    if (withdrawal.state !== 'sent' && !(await this.#options.mayBePaid(ownerId))) {
      this.#wait(withdrawalId);
      return;
    }
    // Who pays by hand takes it up first: until then its owner may cancel it, and whatever stops it counts.
    if (withdrawal.state !== 'sent' && this.#options.custody.settle !== undefined) {
      this.#tellDue(withdrawal);
      this.#wait(withdrawalId);
      return;
    }
    // Durable before the custody hears of it: nothing can be cancelled or given back from here on.
    const isSent = withdrawal.state === 'sent' || (await this.#step(withdrawalId, 'send'));
    if (!isSent) {
      this.#wait(withdrawalId);
      return;
    }
    const { custody } = this.#options;
    let told: PayoutState;
    try {
      told = await custody.pay(payoutOf(withdrawal));
    } catch {
      told = { state: 'pending' };
    }
    if (told.state === 'pending') {
      this.#wait(withdrawalId);
      return;
    }
    this.#pauses.delete(withdrawalId);
    const isTaken =
      told.state === 'paid'
        ? await this.#step(withdrawalId, 'complete', told.reference)
        : await this.#step(withdrawalId, 'fail', null, told.reason);
    if (!isTaken) {
      this.#options.alarm(`the custody says ${told.state}, the ledger does not`, withdrawalId);
    }
  }

  /** Whether the withdrawal is where the step leads. */
  async #step(
    withdrawalId: WithdrawalRecord['withdrawalId'],
    step: WithdrawalStep,
    reference: string | null = null,
    reason: string | null = null,
  ): Promise<boolean> {
    const { answer } = await this.#options.lane.submit({
      body: { type: 'advance_withdrawal', withdrawalId, step, reference, reason },
      actor: { kind: 'system' },
      requestId: `withdrawal ${withdrawalId}`,
    });
    if (!answer.ok) return false;
    assert(answer.result.kind === 'withdrawal', 'a step is answered with its withdrawal');
    return step !== 'send' || answer.result.withdrawal.state === 'sent';
  }

  #tellDue(withdrawal: WithdrawalRecord): void {
    if (this.#due.has(withdrawal.withdrawalId)) return;
    this.#due.add(withdrawal.withdrawalId);
    this.#options.custody.due?.(payoutOf(withdrawal));
  }

  /** What ended by another hand is not waited for any more. */
  #forgetOthers(open: readonly WithdrawalRecord[]): void {
    if (this.#pauses.size === 0 && this.#due.size === 0) return;
    const ids = new Set<string>(open.map(({ withdrawalId }) => withdrawalId));
    for (const id of this.#pauses.keys()) if (!ids.has(id)) this.#pauses.delete(id);
    for (const id of this.#due) if (!ids.has(id)) this.#due.delete(id);
  }

  #wait(withdrawalId: string): void {
    const known = this.#pauses.get(withdrawalId)?.lengthMs ?? 500;
    const lengthMs = Math.min(PAUSE_MAX_MS, 2 * known);
    this.#pauses.set(withdrawalId, { untilMs: this.#options.clock.wallMs() + lengthMs, lengthMs });
  }
}
