import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  asTradeId,
  type CommandBody,
  createState,
  DEFAULT_PARAMETERS,
  publicVolume,
  type SpelledTrade,
  type TradeId,
  viewOrder,
} from '@sibyl/engine';
import { type CommittedCommand, Lane } from '@sibyl/lane';
import { ManualClock, MemoryJournal, MemoryStore } from '@sibyl/lane/testing';
import { divide } from '@sibyl/money';
import { afterEach, describe, expect, it } from 'vitest';
import { nameOf, RandomRun, START_MS } from '../../../lane/test/random-run.ts';
import { IN_MEMORY, SqliteReadStore } from '../sqlite/read-store.ts';
import type { PastCandle, PastFill, PastOrder, StatementEntry } from '../store/history.ts';
import { LiveHistory } from './live-history.ts';
import type { FlushLimits } from './projector.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function freshFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'history-'));
  folders.push(folder);
  return path.join(folder, 'read-model.db');
}

async function openHistory(file: string, limits: Partial<FlushLimits> = {}): Promise<LiveHistory> {
  return LiveHistory.open({
    store: new SqliteReadStore(file),
    failed: (error) => {
      throw error;
    },
    limits,
  });
}

/** A history that has seen the run, flushed in the middle of it. */
async function historyOf(run: RandomRun, file = IN_MEMORY): Promise<LiveHistory> {
  const history = await openHistory(file, { commandsMax: 1_000_000, delayMs: 1_000_000 });
  history.projector.begin(createState('sandbox'));
  const middle = Math.floor(run.committed.length / 2);
  history.projector.apply(run.committed.slice(0, middle));
  await history.projector.flush();
  history.projector.apply(run.committed.slice(middle));
  return history;
}

async function allOrders(history: LiveHistory, accountId: string, limit = 7): Promise<PastOrder[]> {
  const filter = { accountId, status: null, marketId: null, clientOrderId: null };
  const rows: PastOrder[] = [];
  for (let before: number | null = null; ; ) {
    const page = await history.orders({ ...filter, before }, limit);
    rows.push(...page.rows);
    if (page.next === null) return rows;
    before = page.next;
  }
}

async function allFills(history: LiveHistory, accountId: string, limit = 5): Promise<PastFill[]> {
  const rows: PastFill[] = [];
  for (let before: { tradeId: number; orderId: number } | null = null; ; ) {
    const page = await history.fills({ accountId, marketId: null, before }, limit);
    rows.push(...page.rows);
    if (page.next === null) return rows;
    before = page.next;
  }
}

async function statementOf(history: LiveHistory, accountId: string): Promise<StatementEntry[]> {
  const filter = { accountId, reason: null, marketId: null, fromMs: null, toMs: null };
  const rows: StatementEntry[] = [];
  for (let before: { seq: number; number: number } | null = null; ; ) {
    const page = await history.statement({ ...filter, before }, 13);
    rows.push(...page.rows);
    if (page.next === null) return rows;
    before = page.next;
  }
}

function tradesOf(committed: readonly CommittedCommand[]) {
  const trades: (SpelledTrade & { readonly atMs: number })[] = [];
  for (const { outcome } of committed) {
    for (const event of outcome.events) {
      if (event.type === 'trade_executed') {
        trades.push({ ...event.toJSON(), atMs: outcome.atMs });
      }
    }
  }
  return trades;
}

describe('history', () => {
  it('[RM1] shows every open order as the engine has it, and every other one as ended', async () => {
    for (const seed of [1, 2, 3]) {
      const run = new RandomRun(seed);
      run.play(1500);
      const history = await historyOf(run);
      let openCount = 0;
      for (let who = 0; who < 6; who += 1) {
        const orders = await allOrders(history, nameOf(who));
        const ids = orders.map(({ orderId }) => orderId);
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
        const open = new Map(
          run.state.orderLists
            .of(run.state.accounts.get(nameOf(who))!)
            .map((o) => [Number(o.id), o]),
        );
        for (const order of orders) {
          const known = open.get(order.orderId);
          if (known === undefined) {
            expect(['filled', 'cancelled', 'rejected']).toContain(order.status);
            continue;
          }
          openCount += 1;
          const view = viewOrder(known);
          expect(order).toMatchObject({
            price: view.price,
            lots: view.lots,
            filledLots: view.filledLots,
            filledCost: view.filledCost,
            feesPaid: view.feesPaid,
            status: view.status,
            clientOrderId: view.clientOrderId,
            outcomeId: view.outcomeId,
            createdAtMs: view.createdAtMs,
          });
        }
        expect(orders.filter(({ orderId }) => open.has(orderId)).length).toBe(open.size);
      }
      expect(openCount).toBeGreaterThan(5);
    }
  });

  it('[RM2] keeps for a closed order what its events add up to', async () => {
    const run = new RandomRun(4);
    run.play(2000);
    const history = await historyOf(run);
    const costs = new Map<number, bigint>();
    for (const trade of tradesOf(run.committed)) {
      const add = (id: number, cost: bigint) => costs.set(id, (costs.get(id) ?? 0n) + cost);
      add(trade.takerOrderId, trade.cost);
      for (const maker of trade.makers) add(maker.orderId, BigInt(maker.lots * maker.price));
    }
    for (let who = 0; who < 6; who += 1) {
      for (const order of await allOrders(history, nameOf(who))) {
        expect(order.filledCost).toBe(costs.get(order.orderId) ?? 0n);
        if (order.status === 'filled') expect(order.filledLots).toBe(order.lots);
      }
    }
  });

  it('[RM3] a statement runs from nothing to the balances of the engine', async () => {
    for (const seed of [5, 6]) {
      const run = new RandomRun(seed);
      run.play(2000);
      const history = await historyOf(run);
      for (let who = 0; who < 6; who += 1) {
        const entries = (await statementOf(history, nameOf(who))).reverse();
        const balances = new Map<string, bigint>();
        for (const entry of entries) {
          const { bucket, shares } = entry;
          const asset = `${bucket} ${shares === null ? '' : `${shares.marketId}.${shares.outcomeId}`}`;
          const after = (balances.get(asset) ?? 0n) + entry.amount;
          expect(entry.balanceAfter).toBe(after);
          balances.set(asset, after);
        }
        const account = run.state.accounts.get(nameOf(who))!;
        expect(balances.get('free ') ?? 0n).toBe(run.state.ledger.balance(account.free));
        expect(balances.get('reserved ') ?? 0n).toBe(run.state.ledger.balance(account.reserved));
        for (const { name, balance } of run.state.ledger.accounts()) {
          const match = /^user:(.*):(free|reserved):(m_.*)\.(\d+)$/.exec(name);
          if (match === null || match[1] !== nameOf(who)) continue;
          const market = [...run.state.markets.values()].find(({ id }) => id === match[3])!;
          const outcomeId = market.outcomes[Number(match[4])]!.id;
          expect(balances.get(`${match[2]} ${market.id}.${outcomeId}`) ?? 0n).toBe(balance);
        }
      }
    }
  });

  it('[RM4] fees and rebates of a statement are those of the fills', async () => {
    const run = new RandomRun(7);
    run.play(2000);
    const history = await historyOf(run);
    for (let who = 0; who < 6; who += 1) {
      const entries = await statementOf(history, nameOf(who));
      const fills = await allFills(history, nameOf(who));
      const paid = entries.filter(
        ({ reason }) => reason === 'taker_fee' || reason === 'builder_fee',
      );
      const fees = fills.reduce((sum, { fee }) => sum + fee, 0n);
      expect(-paid.reduce((sum, { amount }) => sum + amount, 0n)).toBe(fees);
      if (nameOf(who) === nameOf(1)) continue; // owns pools, whose rebates belong to no order
      const rebates = entries.filter(({ reason }) => reason === 'maker_rebate');
      const earned = fills.reduce((sum, { rebate }) => sum + rebate, 0n);
      expect(rebates.reduce((sum, { amount }) => sum + amount, 0n)).toBe(earned);
    }
  });

  it('[RM5] candles of every interval are what the trades make them', async () => {
    const run = new RandomRun(8);
    run.play(3000);
    const history = await historyOf(run);
    const trades = tradesOf(run.committed);
    expect(trades.length).toBeGreaterThan(200);
    const minutes = [1, 5, 15, 30, 60, 240, 1440];
    for (const market of run.state.markets.values()) {
      for (const [outcome, { id }] of market.outcomes.entries()) {
        const own = trades.filter((t) => t.marketId === market.id && t.outcomeId === id);
        for (const count of minutes) {
          const intervalMs = count * 60_000;
          const fromMs = START_MS - (START_MS % intervalMs);
          const range = { marketId: market.id, outcome, intervalMs, fromMs, toMs: run.nowMs + 1 };
          expect(await history.candles(range)).toMatchObject(recompute(own, intervalMs));
        }
      }
    }
  });

  it('[RM6] the volume of a day is that of its trades, while time goes on and rows are flushed', async () => {
    const run = new RandomRun(9);
    const history = await openHistory(IN_MEMORY, { commandsMax: 200, delayMs: 1_000_000 });
    history.projector.begin(createState('sandbox'));
    history.projector.apply(run.committed);
    for (let round = 0; round < 12; round += 1) {
      history.projector.apply(run.play(250));
      run.nowMs += run.draw(6 * 3_600_000);
      const fromMs = run.nowMs - (run.nowMs % 60_000) - 1439 * 60_000;
      const trades = tradesOf(run.committed).filter(({ atMs }) => atMs >= fromMs);
      for (const market of run.state.markets.values()) {
        const volumes = market.outcomes.map(({ id }) =>
          trades
            .filter((trade) => trade.marketId === market.id && trade.outcomeId === id)
            .reduce((sum, { cost }) => sum + cost, 0n),
        );
        const shown = await history.dayVolumes(market.id, market.outcomes.length, run.nowMs);
        expect(shown).toEqual(volumes);
      }
    }
  });

  it('[RM7] pages partition a list while rows are added', async () => {
    const run = new RandomRun(10);
    run.play(800);
    const history = await historyOf(run);
    const count = (id: string) =>
      tradesOf(run.committed).filter(({ marketId }) => marketId === id).length;
    const markets = [...run.state.markets.values()];
    const market = markets.reduce((most, one) => (count(one.id) > count(most.id) ? one : most));
    const seen: number[] = [];
    const before = tradesOf(run.committed).filter(({ marketId }) => marketId === market.id);
    expect(before.length).toBeGreaterThan(20);
    for (let before: number | null = null; ; ) {
      const filter = { marketId: market.id, outcome: null, before };
      const page = await history.trades(filter, 3);
      seen.push(...page.rows.map(({ tradeId }) => tradeId));
      history.projector.apply(run.play(10));
      if (run.draw(3) === 0) await history.projector.flush();
      if (page.next === null) break;
      before = page.next;
    }
    expect(seen).toEqual(before.map(({ tradeId }) => tradeId).reverse());
  });

  it('[RM8] is the same whenever it was flushed, stopped and started again', async () => {
    const run = new RandomRun(11);
    run.play(2000);
    const whole = await historyOf(run);
    const file = freshFile();
    // Started again four times, each time from a state that is older than what was stored.
    for (let part = 1; part <= 4; part += 1) {
      const history = await openHistory(file, { commandsMax: 150, delayMs: 1_000_000 });
      history.projector.begin(createState('sandbox'));
      const end = Math.floor((run.committed.length * part) / 4);
      for (let from = 0; from < end; from += 64) {
        history.projector.apply(run.committed.slice(from, Math.min(end, from + 64)));
        if (run.draw(4) === 0) await history.projector.flush();
      }
      if (part < 4) await history.close();
      else expect(await everything(history, run)).toBe(await everything(whole, run));
    }
  });

  it('[RM10] reads the same while a flush is under way', async () => {
    const run = new RandomRun(13);
    run.play(4000);
    const expected = await everything(await historyOf(run), run);
    const history = await openHistory(freshFile(), { commandsMax: 1_000_000, delayMs: 1_000_000 });
    history.projector.begin(createState('sandbox'));
    history.projector.apply(run.committed);
    let isWritten = false;
    const flushing = history.projector.flush().then(() => {
      isWritten = true;
    });
    let readsBefore = 0;
    while (!isWritten) {
      expect(await everything(history, run)).toBe(expected);
      readsBefore += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await flushing;
    expect(readsBefore).toBeGreaterThan(0);
    expect(await everything(history, run)).toBe(expected);
    await history.close();
  });

  it('[RM10] shows nothing twice that is stored but not yet known to be', async () => {
    const run = new RandomRun(15);
    run.play(300);
    const { length } = await allOrders(await historyOf(run), nameOf(0), 5000);
    const history = await openHistory(freshFile(), { commandsMax: 1_000_000, delayMs: 1_000_000 });
    history.projector.begin(createState('sandbox'));
    history.projector.apply(run.committed);
    const asleep = new Int32Array(new SharedArrayBuffer(4));
    void history.projector.flush();
    while (history.projector.flushes === 0) {
      // The thread goes on meanwhile, and what it says is heard in the next turn only.
      Atomics.wait(asleep, 0, 0, 50);
      expect((await allOrders(history, nameOf(0), 5000)).length).toBe(length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await history.close();
  });

  it('[RM11] catches up with a lane from wherever it was left', async () => {
    const run = new RandomRun(14);
    run.play(600);
    const store = new MemoryStore();
    const file = freshFile();
    const parts = 3;
    for (let part = 0; part < parts; part += 1) {
      const lane = await openLane(store);
      const history = await openHistory(file);
      await submitAll(lane, run, part, parts);
      // The first is opened late, the others follow a lane that is ahead of what they stored.
      await history.follow(lane);
      await submitAll(lane, run, part + 0.5, parts);
      if (part === parts - 1) {
        const fresh = await openHistory(IN_MEMORY);
        await fresh.follow(lane);
        expect(await everything(history, run)).toBe(await everything(fresh, run));
        expect(history.projector.seq).toBe(lane.status().durableSeq);
        await history.rebuild(lane, new SqliteReadStore(IN_MEMORY));
        expect(await everything(history, run)).toBe(await everything(fresh, run));
        await lane.submit({ body: { type: 'tick' }, actor: { kind: 'system' }, requestId: 't' });
        expect(history.projector.seq).toBe(lane.status().durableSeq);
      }
      await lane.close();
      await history.close();
    }
  });

  it('[RM12] a projection that fails takes history with it, and nothing else', async () => {
    const run = new RandomRun(15);
    const errors: Error[] = [];
    const history = await LiveHistory.open({
      store: new SqliteReadStore(IN_MEMORY),
      failed: (error) => errors.push(error),
    });
    history.projector.begin(createState('sandbox'));
    history.projector.apply(run.committed.slice(0, 3));
    history.projector.apply(run.committed.slice(5));
    expect(errors).toHaveLength(1);
    await expect(history.published()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    history.projector.apply(run.committed);
    expect(errors).toHaveLength(1);
  });

  it('[RM9] counts what a key traded as taker and as maker', async () => {
    const run = new RandomRun(12);
    run.play(2000);
    const history = await historyOf(run);
    const day = Math.floor(START_MS / 86_400_000);
    for (const who of [0, 2, 4]) {
      const orders = new Map(
        (await allOrders(history, nameOf(who))).map((order) => [order.orderId, order]),
      );
      let volume = 0n;
      for (const trade of tradesOf(run.committed)) {
        const isOthers =
          trade.source !== 'house' && publicVolume(Number(trade.cost), trade.lots) > 0;
        if (isOthers && trade.takerKeyId === `sk_test_${who}`) volume += trade.cost;
        for (const maker of trade.makers) {
          if (orders.get(maker.orderId)?.keyId !== `sk_test_${who}`) continue;
          volume += BigInt(publicVolume(maker.lots * maker.price, maker.lots));
        }
      }
      expect(volume).toBeGreaterThan(0n);
      expect(await history.keyVolume(`sk_test_${who}`, day, day + 30)).toBe(volume);
    }
  });
});

function openLane(store: MemoryStore): Promise<Lane> {
  return Lane.open({
    name: 'sandbox',
    parameters: DEFAULT_PARAMETERS,
    journal: new MemoryJournal(store),
    snapshots: null,
    clock: new ManualClock(START_MS),
  });
}

/** Half of a part of the run: its commands, at the times that the lane gives them. */
async function submitAll(lane: Lane, run: RandomRun, part: number, parts: number): Promise<void> {
  const from = Math.floor((run.committed.length * part) / parts);
  const to = Math.floor((run.committed.length * (part + 0.5)) / parts);
  for (const { command } of run.committed.slice(from, to)) {
    const { seq: _seq, atMs: _atMs, actor, ...body } = command;
    await lane.submit({ body: body as CommandBody, actor, requestId: 'test' });
  }
}

function recompute(
  trades: readonly (SpelledTrade & { readonly atMs: number })[],
  intervalMs: number,
): PastCandle[] {
  const buckets = new Map<number, { prices: number[]; volume: bigint }>();
  for (const { atMs, cost, lots } of trades) {
    const startMs = Math.floor(atMs / intervalMs) * intervalMs;
    const bucket = buckets.get(startMs) ?? { prices: [], volume: 0n };
    // Cost per share to six places: a share is 100 lots.
    bucket.prices.push(Number(divide(cost * 100n, BigInt(lots), 'half_even')));
    bucket.volume += cost;
    buckets.set(startMs, bucket);
  }
  return [...buckets].map(([startMs, { prices, volume }]) => ({
    startMs,
    open: prices[0]!,
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: prices.at(-1)!,
    volume,
  }));
}

/** A digest, because the difference of two histories is too long to print. */
async function everything(history: LiveHistory, run: RandomRun): Promise<string> {
  const parts: unknown[] = [];
  for (let who = 0; who < 6; who += 1) {
    parts.push(await allOrders(history, nameOf(who)));
    parts.push(await allFills(history, nameOf(who)));
    parts.push(await statementOf(history, nameOf(who)));
  }
  for (const { id, outcomes } of run.state.markets.values()) {
    const filter = { marketId: id, outcome: null, before: null };
    parts.push(await history.trades(filter, 100_000));
    parts.push(await history.settlement(id));
    for (const outcome of outcomes.keys()) {
      const range = { marketId: id, outcome, intervalMs: 60_000, fromMs: 0, toMs: run.nowMs + 1 };
      parts.push((await history.candles(range)).map(({ startMs, close }) => [startMs, close]));
    }
  }
  parts.push([...(await history.published())].sort());
  const text = JSON.stringify(parts, (_, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  return createHash('sha256').update(text).digest('hex');
}

describe('settlement metadata of trades', () => {
  it('[RM15] is read while it waits and once it is stored, the latest word on each trade', async () => {
    const run = new RandomRun(5);
    run.play(300);
    const [first, second, third] = [1, 2, 3].map(asTradeId);
    const attach = (id: TradeId | undefined, data: string | null): void => {
      const record = { kind: 'trade', id: id! } as const;
      run.run({ type: 'attach_chain_data', record, data });
    };
    attach(first, '{"n":1}');
    attach(second, '{"n":2}');
    const file = freshFile();
    const history = await historyOf(run, file);
    expect([...(await history.chainData([1, 2, 3]))]).toEqual([
      [1, '{"n":1}'],
      [2, '{"n":2}'],
    ]);
    await history.projector.flush();
    const from = run.committed.length;
    attach(first, null);
    attach(third, '{"n":3}');
    history.projector.apply(run.committed.slice(from));
    expect([...(await history.chainData([3, 2, 1]))].sort()).toEqual([
      [2, '{"n":2}'],
      [3, '{"n":3}'],
    ]);
    await history.projector.flush();
    expect([...(await history.chainData([1, 3]))]).toEqual([[3, '{"n":3}']]);
    await history.close();
  });
});
