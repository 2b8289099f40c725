// Watches whether a lane takes commands, and tells everybody when that changes.
import type { Clock, Lane } from '@sibyl/lane';
import { modeInForce } from '../wire/platform-mode.ts';
import type { Broadcast, LaneMessage, Told } from './market-messages.ts';

type LaneState = ReturnType<Lane['status']>['state'];
type Mode = Told<'platform_mode'>;
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
  readonly #isMaintained: () => boolean;
  #state: LaneState = 'running';
  #sinceMs = 0;
  /** As an operator last set it. */
  #set: Mode = { mode: 'normal', reason: null };
  /** As clients were last told. */
  #told: Mode['mode'] = 'normal';

  constructor(
    lane: Pick<Lane, 'name' | 'status'>,
    clock: Clock,
    broadcast: Broadcast,
    breakerChanged: (breaker: Told<'circuit_breaker'>) => void,
    isMaintained: () => boolean = () => false,
  ) {
    this.#lane = lane;
    this.#clock = clock;
    this.#broadcast = broadcast;
    this.#breakerChanged = breakerChanged;
    this.#isMaintained = isMaintained;
  }

  /** The mode that the lane begins with; nothing is told of it. */
  begin(set: Mode): void {
    this.#set = set;
    this.#told = this.#mode().mode;
  }

  /** An operator has set another mode. */
  change(set: Mode): void {
    this.#set = set;
    this.#tellMode();
  }

  check(): void {
    const { state } = this.#lane.status();
    if (state === this.#state) {
      if (this.#mode().mode !== this.#told) this.#tellMode();
      return;
    }
    const before = this.#stoppedIn(this.#state);
    this.#state = state;
    this.#sinceMs = this.#clock.wallMs();
    const concerned = new Set([...before, ...this.#stoppedIn(state)]);
    for (const breaker of this.#breakers([...concerned])) {
      this.#broadcast('circuit_breaker', breaker);
      this.#breakerChanged(breaker);
    }
    this.#tellMode();
  }

  #tellMode(): void {
    const mode = this.#mode();
    this.#told = mode.mode;
    this.#broadcast('platform_mode', mode);
  }

  /** What somebody who has just come should know; nothing while all is well. */
  openingMessages(): readonly LaneMessage[] {
    const breakers = this.#breakers(this.#stoppedIn(this.#state));
    const mode = this.#mode();
    return [
      ...breakers.map((breaker) => ['circuit_breaker', breaker] as const),
      ...(mode.mode === 'normal' ? [] : [['platform_mode', mode] as const]),
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

  #mode(): Mode {
    const status = this.#lane.status();
    const { mode, reason } = this.#set;
    return {
      mode: modeInForce(status, mode, this.#isMaintained()),
      reason: status.reason ?? reason,
    };
  }
}
