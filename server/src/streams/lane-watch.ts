// Watches whether a lane takes commands, and tells everybody when that changes.
import type { Clock, Lane } from '@sibyl/lane';
import type { Broadcast, Told } from './market-messages.ts';

export type LaneMessage = readonly [type: Parameters<Broadcast>[0], data: object];

type LaneState = ReturnType<Lane['status']>['state'];

/** A degraded lane looks after itself about so often. */
const RETRY_AFTER_MS = 5_000;

export class LaneWatch {
  readonly #lane: Pick<Lane, 'name' | 'status'>;
  readonly #clock: Clock;
  readonly #broadcast: Broadcast;
  #state: LaneState = 'running';
  #sinceMs = 0;

  constructor(lane: Pick<Lane, 'name' | 'status'>, clock: Clock, broadcast: Broadcast) {
    this.#lane = lane;
    this.#clock = clock;
    this.#broadcast = broadcast;
  }

  look(): void {
    const { state } = this.#lane.status();
    if (state === this.#state) return;
    this.#state = state;
    this.#sinceMs = this.#clock.wallMs();
    for (const [type, data] of this.#messages()) this.#broadcast(type, data);
  }

  /** What somebody who has just come should know; nothing while all is well. */
  standing(): readonly LaneMessage[] {
    return this.#state === 'running' ? [] : this.#messages();
  }

  #messages(): readonly LaneMessage[] {
    const { reason } = this.#lane.status();
    const state = this.#state;
    const isRunning = state === 'running';
    const breaker: Told<'circuit_breaker'> = {
      lane: this.#lane.name === 'sandbox' ? 'sandbox' : 'trade',
      market_id: null,
      state: isRunning ? 'closed' : 'open',
      reason: reason ?? state,
      since_ms: this.#sinceMs,
      retry_after_ms: isRunning || state === 'stopped' ? null : RETRY_AFTER_MS,
    };
    const mode: Told<'platform_mode'> = {
      mode: isRunning ? 'normal' : state === 'read_only' ? 'cancel_only' : 'read_only',
      reason,
    };
    return [
      ['circuit_breaker', breaker],
      ['platform_mode', mode],
    ];
  }
}
