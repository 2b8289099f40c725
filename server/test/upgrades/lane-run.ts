// One run of the live lane and its history, as a process of the build that this file lies in; its first argument says which.
import path from 'node:path';
import { DEFAULT_PARAMETERS, encodeValue, type MarketId, stateHash } from '@sibyl/engine';
import { LiveHistory, ReadFiles } from '@sibyl/history';
import {
  type Journal,
  Lane,
  SnapshotStore,
  SqliteJournal,
  systemClock,
  type Verified,
  verify,
} from '@sibyl/lane';
import { ACCOUNTS, command, drawFrom, openMarket } from '../../../lane/test/workload.ts';

export interface LaneRun {
  readonly dataDir: string;
  readonly seed: number;
  readonly commands: number;
  /** Killed when the append of this number, counted from 1, is durable. */
  readonly killAfter?: number;
}

export interface LaneRunEnd {
  readonly seq: number;
  readonly stateHash: string;
  /** What the start said of upgrades. */
  readonly upgraded: readonly string[];
  /** The journal from its beginning, verified after the lane was closed. */
  readonly stretches: Verified['stretches'];
  /** Orders, fills, statements, trades and templates, as history has them. */
  readonly history: unknown;
}

const ALL = 100_000;

async function live({ dataDir, seed, commands, killAfter }: LaneRun): Promise<LaneRunEnd> {
  const folder = path.join(dataDir, 'live');
  const history = await LiveHistory.open({ store: new ReadFiles(folder).current(), failed: fail });
  const { projector } = history;
  const upgraded: string[] = [];
  const open = (): Promise<Journal> =>
    SqliteJournal.open({ file: path.join(folder, 'journal.db') });
  const snapshots = new SnapshotStore(path.join(folder, 'snapshots'));
  const known = { parameters: DEFAULT_PARAMETERS, snapshots };
  const opened = await open();
  const lane = await Lane.open({
    name: 'live',
    ...known,
    journal: mortal(opened, killAfter),
    clock: systemClock,
    watcher: {
      reached: (seq, state) => projector.reach(seq, state),
      replayed: (replayed) => projector.apply(replayed),
      upgraded: (message) => upgraded.push(message),
    },
  }).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  await projector.follow(lane);
  const market = await openMarket(async (submission) => (await lane.submit(submission)).answer);
  const draw = drawFrom(seed);
  const names = Array.from({ length: commands }, (_, index) => `${seed}-${index}`);
  await Promise.all(names.map((name) => lane.submit(command(draw, name, market))));
  const remembered = await everythingIn(history, market);
  const end = { seq: lane.status().seq, stateHash: await lane.read(stateHash), upgraded };
  await lane.close();
  await history.close();
  const journal = await open();
  const { stretches } = await verify({ lane: 'live', ...known, journal });
  await journal.close();
  return { ...end, stretches, history: remembered };
}

async function everythingIn(history: LiveHistory, marketId: MarketId): Promise<unknown> {
  const of = async (accountId: string): Promise<unknown> => {
    const every = { accountId, marketId: null, before: null };
    const span = { reason: null, fromMs: null, toMs: null };
    const orders = await history.orders({ ...every, status: null, clientOrderId: null }, ALL);
    const fills = await history.fills(every, ALL);
    return [
      accountId,
      orders.rows,
      fills.rows,
      (await history.statement({ ...every, ...span }, ALL)).rows,
    ];
  };
  const accounts = await Promise.all(ACCOUNTS.map(of));
  const trades = await history.trades({ marketId, outcome: null, before: null }, ALL);
  return [accounts, trades.rows, [...(await history.published())]];
}

function mortal(journal: Journal, killAfter = 0): Journal {
  let appends = 0;
  return {
    lead: () => journal.lead(),
    read: (fromSeq) => journal.read(fromSeq),
    head: () => journal.head(),
    refillReserve: () => journal.refillReserve(),
    close: () => journal.close(),
    isOnReserve: false,
    async append(commit, epoch) {
      appends += 1;
      await journal.append(commit, epoch);
      if (appends === killAfter) await die();
    },
  };
}

/** Nothing of this process comes after it. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

function fail(error: Error): never {
  throw error;
}

const [run] = process.argv.slice(2);
if (run !== undefined) process.stdout.write(encodeValue(await live(JSON.parse(run) as LaneRun)));
