// A lane without journal: commands are applied at once at the time the clock shows. For tests of seed and bots.

import {
  apply,
  type CommandBody,
  createState,
  DEFAULT_PARAMETERS,
  type Parameters as LaneParameters,
  type Outcome,
  type State,
} from '@sibyl/engine';
import type { Clock } from '@sibyl/lane';
import type { SeededLane } from '../src/seed/seed-lane.ts';

/** As a sandbox of the server has them: cancellations need no notice. */
export const SANDBOX_PARAMETERS: LaneParameters = {
  ...DEFAULT_PARAMETERS,
  resolution: { ...DEFAULT_PARAMETERS.resolution, voidNoticeMs: 0 },
};

export class EngineLane implements SeededLane {
  readonly name: 'live' | 'sandbox';
  readonly state: State;
  readonly outcomes: Outcome[] = [];
  readonly bodies: CommandBody[] = [];
  readonly #clock: Clock;

  constructor(name: 'live' | 'sandbox', clock: Clock) {
    this.name = name;
    this.state = createState(name, name === 'live' ? DEFAULT_PARAMETERS : SANDBOX_PARAMETERS);
    this.#clock = clock;
  }

  async submit({ body, actor }: Parameters<SeededLane['submit']>[0]): Promise<Outcome> {
    const seq = this.state.seq + 1;
    const outcome = apply(this.state, { seq, atMs: this.#clock.wallMs(), actor, ...body });
    this.outcomes.push(outcome);
    this.bodies.push(body);
    return outcome;
  }

  nowMs(): number {
    return Math.max(this.state.nowMs, this.#clock.wallMs());
  }

  async read<T>(query: (state: State) => T): Promise<T> {
    return query(this.state);
  }
}
