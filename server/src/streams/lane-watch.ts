// Watches whether a lane takes commands, and tells everybody when that changes.
import type { Clock, Lane } from '@sibyl/lane';
import type { Broadcast, LaneMessage, Told } from './market-messages.ts';

type LaneState = ReturnType<Lane['status']>['state'];
type TrafficLane = NonNullable<Told<'circuit_breaker'>['lane']>;

/** A degraded lane looks after itself about so often. */
const RETRY_AFTER_MS = 5_000;

/** Which traffic of the live lane does not work in each state; all traffic of the sandbox is one kind. */
const STOPPED: Readonly<Record<LaneState, readonly TrafficLane[]>> = {
  running: [],
  read_only: ['trade', 'create'],
  recovering: ['read', 'trade', 'create'],
  stopped: ['read', 'trade', 'create'],
};

export class LaneWatch {
  readonly #lane: Pick<Lane, 'name' | 'status'>;
  readonly #clock: Clock;
  readonly #broadcast: Broadcast;
  /** Told of breakers too: no journal has them, so that nobody else can tell receivers of webhooks. */
  readonly #breakerChanged: (breaker: Told<'circuit_breaker'>) => void;
  #state: LaneState = 'running';
  #sinceMs = 0;

  constructor(
    lane: Pick<Lane, 'name' | 'status'>,
    clock: Clock,
    broadcast: Broadcast,
    breakerChanged: (breaker: Told<'circuit_breaker'>) => void,
  ) {
    this.#lane = lane;
    this.#clock = clock;
    this.#broadcast = broadcast;
    this.#breakerChanged = breakerChanged;
  }

  check(): void {
    const { state } = this.#lane.status();
    if (state === this.#state) return;
    const before = this.#stoppedIn(this.#state);
    this.#state = state;
    this.#sinceMs = this.#clock.wallMs();
    const concerned = new Set([...before, ...this.#stoppedIn(state)]);
    for (const breaker of this.#breakers([...concerned])) {
      this.#broadcast('circuit_breaker', breaker);
      this.#breakerChanged(breaker);
    }
    this.#broadcast('platform_mode', this.#mode());
  }

  /** What somebody who has just come should know; nothing while all is well. */
  openingMessages(): readonly LaneMessage[] {
    if (this.#state === 'running') return [];
    const breakers = this.#breakers(this.#stoppedIn(this.#state));
    return [
      ...breakers.map((breaker) => ['circuit_breaker', breaker] as const),
      ['platform_mode', this.#mode()],
    ];
  }

  #stoppedIn(state: LaneState): readonly TrafficLane[] {
    if (this.#lane.name === 'live') return STOPPED[state];
    return state === 'running' ? [] : ['sandbox'];
  }

  #breakers(lanes: readonly TrafficLane[]): readonly Told<'circuit_breaker'>[] {
    const { reason } = this.#lane.status();
    const state = this.#state;
    const stopped = this.#stoppedIn(state);
    return lanes.map((lane) => {
      const isOpen = stopped.includes(lane);
      return {
        lane,
        market_id: null,
        state: isOpen ? 'open' : 'closed',
        reason: reason ?? state,
        since_ms: this.#sinceMs,
        retry_after_ms: !isOpen || state === 'stopped' ? null : RETRY_AFTER_MS,
      };
    });
  }

  #mode(): Told<'platform_mode'> {
    const { reason } = this.#lane.status();
    const state = this.#state;
    if (state === 'running') return { mode: 'normal', reason };
    return { mode: state === 'read_only' ? 'cancel_only' : 'read_only', reason };
  }
}
