// cancel_on_disconnect: the orders of whoever lost the connection and does not come back in time are cancelled.
import type { AccountId } from '@sibyl/engine';
import type { Clock } from '../../ports/clock.ts';
import type { StreamHub } from '../../streams/hub.ts';

interface Lifeline {
  readonly takeBack: () => void;
  readonly cut: () => void;
}

export class Lifelines {
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #alarms = new Map<string, Lifeline>();
  readonly #work = new Set<Promise<void>>();

  constructor(clock: Clock, failed: (error: unknown) => void) {
    this.#clock = clock;
    this.#failed = failed;
  }

  /** The account is back. */
  hold(hub: StreamHub, accountId: AccountId): void {
    const place = placeOf(hub, accountId);
    this.#alarms.get(place)?.takeBack();
    this.#alarms.delete(place);
  }

  lose(hub: StreamHub, accountId: AccountId, graceMs: number): void {
    this.hold(hub, accountId);
    const lostAtMs = this.#clock.wallMs();
    const cut = (): void => {
      this.#alarms.delete(placeOf(hub, accountId));
      const work = this.#cancel(hub, accountId, lostAtMs)
        .catch(this.#failed)
        .finally(() => this.#work.delete(work));
      this.#work.add(work);
    };
    if (graceMs === 0) cut();
    else {
      const takeBack = this.#clock.setAlarm(graceMs, cut);
      this.#alarms.set(placeOf(hub, accountId), { takeBack, cut });
    }
  }

  /** Those still waited for cannot come back to a service that is gone. */
  async close(): Promise<void> {
    for (const { takeBack, cut } of [...this.#alarms.values()]) {
      takeBack();
      cut();
    }
    await Promise.all(this.#work);
  }

  async #cancel(hub: StreamHub, accountId: AccountId, lostAtMs: number): Promise<void> {
    const all = { marketId: null, outcomeId: null, side: null, orderIds: null };
    const { answer } = await hub.lane.submit({
      body: { type: 'cancel_orders', accountId, ...all },
      actor: { kind: 'account', accountId, keyId: null },
      requestId: 'cancel_on_disconnect',
    });
    const isDone = answer.ok && answer.result.kind === 'cancelled';
    const cancelled = isDone ? answer.result.cancelled.length : 0;
    hub.accounts.disconnected(accountId, lostAtMs, this.#clock.wallMs(), cancelled);
  }
}

function placeOf(hub: StreamHub, accountId: AccountId): string {
  return `${hub.lane.name} ${accountId}`;
}
