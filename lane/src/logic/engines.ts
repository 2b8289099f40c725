// The engines that a build knows, and the way of a state from one to the next.
import { decodeValue, encodeValue, type State } from '@sibyl/engine';
import type { CommittedCommand } from '../record/submission.ts';
import { boundaries } from './boundaries.ts';
import type { Boundary, SnapshotLine } from './boundary.ts';
import { engine as current } from './current.ts';
import type { AnyState, EngineLogic } from './engine-logic.ts';
import { loadFrozen } from './frozen.ts';

/** A state and the engine that it is of. */
export interface Ruled {
  readonly engine: EngineLogic;
  readonly state: AnyState;
}

/** Data of an engine that this build does not know: newer than itself, or older than the oldest that it has. */
export class EngineLogicUnknown extends Error {
  override readonly name = 'EngineLogicUnknown';
}

/** Carrying a state over a boundary lost or made money, or broke an invariant. */
class CarryFailed extends Error {
  override readonly name = 'CarryFailed';
}

export class Engines {
  readonly current: EngineLogic<State>;
  readonly #boundaries: readonly Boundary[];
  readonly #load: (logic: number) => EngineLogic;
  readonly #loaded = new Map<number, EngineLogic>();

  /** Former engines are loaded when they are first needed, which on most days they are not. */
  constructor(
    engine: EngineLogic<State>,
    passable: readonly Boundary[],
    load: (logic: number) => EngineLogic,
  ) {
    this.current = engine;
    this.#boundaries = passable;
    this.#load = load;
  }

  /** The logic numbers at hand, newest first. */
  get known(): readonly number[] {
    return [this.current.logic, ...this.#boundaries.map(({ from }) => from).reverse()];
  }

  /** `what` begins the message if the engine is not at hand: whatever asks for it. */
  find(logic: number, what: string): EngineLogic {
    const { current: ours } = this;
    if (logic === ours.logic) return ours;
    if (!this.known.includes(logic)) {
      const oldest = this.known.at(-1);
      throw new EngineLogicUnknown(
        logic > ours.logic
          ? `${what} engine logic ${logic}, and this build has ${ours.logic}: it was upgraded; use the newer build, or restore the backup from before`
          : `${what} engine logic ${logic}, and the oldest that this build has is ${oldest}`,
      );
    }
    const engine = this.#loaded.get(logic) ?? this.#load(logic);
    this.#loaded.set(logic, engine);
    return engine;
  }

  /** One step: what the former engine left, taken over by the next. */
  carry({ engine, state }: Ruled, what: string): Ruled {
    const next = this.find(engine.logic + 1, what);
    const supply = new Supply();
    const before = supply.counted('before', dataLines(engine.encodeSnapshot(state)));
    const after = supply.counted('after', this.#boundary(engine.logic).carry(before));
    const carried = next.decodeSnapshot(textLines(after));
    const fault = supply.fault ?? misplaced(state, carried);
    if (fault !== null) {
      throw new CarryFailed(`from engine logic ${engine.logic} to ${next.logic}: ${fault}`);
    }
    next.checkAll(carried);
    return { engine: next, state: carried };
  }

  /** The state as the engine of this build would have it; the one that was given is left as it is. */
  today({ engine, state }: Ruled): State {
    let ruled: Ruled = { engine, state };
    while (ruled.engine !== this.current) ruled = this.carry(ruled, 'a state is of');
    // Only its own engine makes it, and its states are of this type.
    return ruled.state as State;
  }

  /** What some engine said, in the words of that of this build. */
  retell({ logic }: EngineLogic, committed: CommittedCommand): CommittedCommand {
    if (logic === this.current.logic) return committed;
    let told = committed;
    for (const boundary of this.#boundaries) {
      if (boundary.from >= logic) told = boundary.retell(told);
    }
    return told;
  }

  #boundary(from: number): Boundary {
    const found = this.#boundaries.find((boundary) => boundary.from === from);
    if (found === undefined) throw new CarryFailed(`no way leads on from engine logic ${from}`);
    return found;
  }
}

/** The engines of this tree. */
export const ENGINES = new Engines(current, boundaries, loadFrozen);

/** Money that came into the lane from outside, less what left: no boundary may change it. */
class Supply {
  readonly #sums = { before: 0n, after: 0n };

  *counted(side: 'before' | 'after', lines: Iterable<SnapshotLine>): Generator<SnapshotLine> {
    for (const line of lines) {
      const { is, name, balance } = line;
      const isOutside =
        is === 'balance' && typeof name === 'string' && name.startsWith('external:');
      if (isOutside && typeof balance === 'bigint') this.#sums[side] += balance;
      yield line;
    }
  }

  get fault(): string | null {
    const { before, after } = this.#sums;
    return before === after ? null : `the money supply was ${before} and would be ${after}`;
  }
}

function misplaced(before: AnyState, after: AnyState): string | null {
  const isSame =
    before.lane === after.lane && before.seq === after.seq && before.nowMs === after.nowMs;
  return isSame ? null : 'the state would stand at another place or time';
}

/** The last line counts the others, which a boundary need not do. */
function* dataLines(lines: Iterable<string>): Generator<SnapshotLine> {
  for (const text of lines) {
    // Written by an engine: every line of a snapshot says what it is.
    const line = decodeValue(text) as SnapshotLine;
    if (line.is !== 'end') yield line;
  }
}

function* textLines(lines: Iterable<SnapshotLine>): Generator<string> {
  let records = 0;
  for (const line of lines) {
    records += 1;
    yield encodeValue(line);
  }
  yield encodeValue({ is: 'end', records });
}
