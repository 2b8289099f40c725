// Timers before requests: what is due is run by ticks of the lane's own, whoever waits.

import { apply, type Command, createState, DEFAULT_PARAMETERS, type State } from '@sibyl/engine';
import { describe, expect, it } from 'vitest';
import { command, drawFrom, openMarket } from '../../test/workload.ts';
import { MemoryJournal, MemoryStore } from '../journal/memory-journal.ts';
import { ManualClock } from '../time/manual-clock.ts';
import { Lane, type Submission } from './lane.ts';

const START_MS = 1_700_000_000_000;

interface Bench {
  readonly lane: Lane;
  readonly clock: ManualClock;
  readonly store: MemoryStore;
  /** All that was journaled since it was opened. */
  readonly commands: Command[];
}

/** Its alarms are late, as on a busy machine: so late that they never ring. */
class LateClock extends ManualClock {
  override setAlarm(): () => void {
    return () => undefined;
  }
}

async function openBench(store = new MemoryStore(), atMs = START_MS): Promise<Bench> {
  const clock = new LateClock(atMs);
  const journal = new MemoryJournal(store);
  const parameters = DEFAULT_PARAMETERS;
  const commands: Command[] = [];
  const lane = await Lane.open({
    name: 'live',
    parameters,
    journal,
    snapshots: null,
    clock,
    listeners: [(batch) => commands.push(...batch.map(({ command: done }) => done))],
  });
  return { lane, clock, store, commands };
}

async function turn(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

function isDueAt(state: State, atMs: number): boolean {
  const dueMs = state.timers.nextDueMs();
  return dueMs !== null && dueMs <= atMs;
}

const runsTimers = ({ type }: Command): boolean => type === 'tick' || type === 'recover';

describe('[P18] before a request is applied, nothing is due', () => {
  it('over a run in which orders expire and marks pass, and no tick is sent for nothing', async () => {
    const bench = await openBench();
    const { lane, clock } = bench;
    const marketId = await openMarket(async (submission) => (await lane.submit(submission)).answer);
    const draw = drawFrom(7);
    for (let step = 0; step < 400; step += 1) {
      const sent = Array.from({ length: 1 + draw(4) }, (_, index) => {
        const submission = command(draw, `${step}-${index}`, marketId);
        return lane.submit(expiring(submission, clock.wallMs() + 1 + draw(90_000)));
      });
      await Promise.all(sent);
      clock.advance(draw(40_000));
      if (draw(2) === 0) await turn();
    }
    await lane.close();
    const state = createState('live', DEFAULT_PARAMETERS);
    const counts = { requests: 0, ticks: 0, expired: 0 };
    for (const next of bench.commands) {
      const wasDue = isDueAt(state, next.atMs);
      if (next.type === 'tick') expect(wasDue, `tick ${next.seq}`).toBe(true);
      else if (!runsTimers(next)) expect(wasDue, `${next.type} ${next.seq}`).toBe(false);
      counts.ticks += next.type === 'tick' ? 1 : 0;
      counts.requests += runsTimers(next) ? 0 : 1;
      const { events } = apply(state, next);
      counts.expired += events.filter(
        (event) => event.type === 'order_cancelled' && event.reason === 'expired',
      ).length;
    }
    expect(counts.requests).toBeGreaterThan(900);
    expect(counts.ticks).toBeGreaterThan(100);
    expect(counts.expired).toBeGreaterThan(100);
  });

  it('a tick that leaves something is followed by another, with a turn for others in between', async () => {
    const bench = await openBench();
    const { lane } = bench;
    let ticks = 0;
    let turns = 0;
    const seen: number[] = [];
    lane.onCommitted((batch) => {
      for (const { command: done } of batch) {
        if (done.type !== 'tick') continue;
        ticks += 1;
        seen.push(turns);
      }
    });
    // An engine that leaves something after each of its first three ticks.
    await lane.read((state) => {
      state.timers.nextDueMs = () => (ticks < 3 ? START_MS : null);
    });
    const open: Submission = {
      body: { type: 'set_read_only', readOnly: false, reason: 'test' },
      actor: { kind: 'operator', name: 'test', reason: 'test' },
      requestId: 'request',
    };
    const count = (): void => {
      turns += 1;
      if (ticks < 3) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all([lane.submit(open), lane.submit(open)]);
    const types = bench.commands.map(({ type }) => type);
    expect(types).toEqual(['recover', 'tick', 'tick', 'tick', 'set_read_only', 'set_read_only']);
    expect(new Set(seen).size).toBe(3);
    await lane.close();
  });

  it('work whose next step always falls due just after the last does not keep requests waiting', async () => {
    const bench = await openBench();
    const { lane, clock } = bench;
    await lane.read((state) => {
      state.timers.nextDueMs = () => {
        clock.advance(5);
        return state.nowMs + 1;
      };
    });
    const mode: Submission = {
      body: { type: 'set_read_only', readOnly: false, reason: 'test' },
      actor: { kind: 'operator', name: 'test', reason: 'test' },
      requestId: 'request',
    };
    clock.advance(5);
    await Promise.all([lane.submit(mode), lane.submit(mode)]);
    const types = bench.commands.map(({ type }) => type);
    expect(types).toEqual(['recover', 'tick', 'set_read_only', 'set_read_only']);
    await lane.close();
  });

  it('a start has run what fell due meanwhile before anybody gets the lane', async () => {
    const before = await openBench();
    await openMarket(async (submission) => (await before.lane.submit(submission)).answer);
    const dueMs = await before.lane.read((state) => state.timers.nextDueMs());
    await before.lane.close();
    const laterMs = dueMs! + 3_600_000;
    const bench = await openBench(before.store, laterMs);
    expect(await bench.lane.read((state) => isDueAt(state, laterMs))).toBe(false);
    await bench.lane.close();
  });
});

/** The same order, ending by itself; other commands as they are. */
function expiring(submission: Submission, expiresAtMs: number): Submission {
  const { body } = submission;
  if (body.type !== 'place_order' || body.timeInForce !== 'gtc') return submission;
  return { ...submission, body: { ...body, timeInForce: 'gtd', expiresAtMs } };
}
