// Lines for sign-ins at a name that is guessed at: one attempt a second for each name, addresses in turn.
import type { Clock } from '@sibyl/lane';
import { type Asker, TurnGate } from '../ports/turn-gate.ts';

const REST_MS = 1_000;
/** The last of them is answered before a request without an answer is given up. */
const WAITING_MAX = 24;

export class GuessLines {
  readonly #clock: Clock;
  readonly #gates = new Map<string, TurnGate>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null if the line is full. */
  run<T>(name: string, by: Asker, work: () => Promise<T>): Promise<T | null> {
    return this.#gateOf(name).run(by, work);
  }

  #gateOf(name: string): TurnGate {
    const known = this.#gates.get(name);
    if (known !== undefined) return known;
    const rest = (go: () => void): void => {
      this.#clock.setAlarm(REST_MS, () => {
        go();
        if (gate.isIdle) this.#gates.delete(name);
      });
    };
    const gate = new TurnGate({
      running: 1,
      waiting: WAITING_MAX,
      perAddress: WAITING_MAX,
      rest,
    });
    this.#gates.set(name, gate);
    return gate;
  }
}
