// Watches whether a lane takes commands, and tells everybody when that changes.
import type { StreamData } from '@sibyl/contract';
import type { Clock } from '../ports/clock.ts';
import type { Lane } from '../sequencer/lane.ts';
import type { Broadcast } from './market-messages.ts';

type LaneState = ReturnType<Lane['status']>['state'];

/** A degraded lane looks after itself about so often. */
const RETRY_AFTER_MS = 5_000;

export class LaneWatch {
  readonly #lane: Pick<Lane, 'name' | 'status'>;
  readonly #clock: Clock;
  readonly #broadcast: Broadcast;
  #state: LaneState = 'running';

  constructor(lane: Pick<Lane, 'name' | 'status'>, clock: Clock, broadcast: Broadcast) {
    this.#lane = lane;
    this.#clock = clock;
    this.#broadcast = broadcast;
  }

  look(): void {
    const { state, reason } = this.#lane.status();
    if (state === this.#state) return;
    this.#state = state;
    const isRunning = state === 'running';
    const breaker: StreamData<'circuit_breaker'> = {
      lane: this.#lane.name === 'sandbox' ? 'sandbox' : 'trade',
      market_id: null,
      state: isRunning ? 'closed' : 'open',
      reason: reason ?? state,
      since_ms: this.#clock.wallMs(),
      retry_after_ms: isRunning || state === 'stopped' ? null : RETRY_AFTER_MS,
    };
    const mode: StreamData<'platform_mode'> = {
      mode: isRunning ? 'normal' : state === 'read_only' ? 'cancel_only' : 'read_only',
      reason,
    };
    this.#broadcast('circuit_breaker', breaker);
    this.#broadcast('platform_mode', mode);
  }
}
