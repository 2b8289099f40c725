// What creators, builders and referrers earned: by the books of the engine, whenever it was flushed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asAccountId, createState, type FeeCredit, type Outcome, vestedFees } from '@sibyl/engine';
import { lots, usdt } from '@sibyl/money';
import { afterEach, describe, expect, it } from 'vitest';
import { nameOf, RandomRun } from '../../../lane/test/random-run.ts';
import { IN_MEMORY, SqliteReadStore } from '../sqlite/read-store.ts';
import { addEarned, NOTHING_EARNED } from '../store/earnings.ts';
import type { EarningFill, EarningSum } from '../store/history.ts';
import { LiveHistory } from './live-history.ts';

const ALWAYS = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER };
const EARNERS = ['builder:app_x', `creator:${nameOf(1)}`, `referrer:${nameOf(0)}`];

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Trades, conversions, ends of markets, and all that is vested credited twice on the way. */
function playedRun(seed: number): RandomRun {
  const run = new RandomRun(seed);
  for (let part = 0; part < 2; part += 1) {
    run.play(900);
    endTwo(run);
    const credits = vestedFees(run.state).map(({ actor, id }): FeeCredit => {
      return { actor, id, accountId: actor === 'builder' ? nameOf(3) : (id as never) };
    });
    if (credits.length > 0) run.run({ type: 'credit_fees', credits });
  }
  run.play(200);
  return run;
}

/** One that has brought something is cancelled, another one answered. */
function endTwo(run: RandomRun): void {
  const markets = [...run.state.markets.values()];
  const [first, second] = markets.filter(({ status, unvested }) => {
    return status === 'active' && unvested.size > 0;
  });
  if (first !== undefined) run.cancel(first.id);
  if (second === undefined) return;
  const answer = { marketId: second.id, winningOutcomeId: second.outcomes[0]!.id };
  run.run({ type: 'mock_oracle', accountId: nameOf(0), ...answer });
}

async function open(file: string): Promise<LiveHistory> {
  return LiveHistory.open({
    store: new SqliteReadStore(file),
    failed: (error) => {
      throw error;
    },
    limits: { commandsMax: 1_000_000, delayMs: 1_000_000 },
  });
}

/** Flushed after so many commands each. */
async function historyOf(run: RandomRun, every: number): Promise<LiveHistory> {
  const history = await open(IN_MEMORY);
  history.projector.begin(createState('sandbox'));
  for (let from = 0; from < run.committed.length; from += every) {
    history.projector.apply(run.committed.slice(from, from + every));
    if (from + every < run.committed.length) await history.projector.flush();
  }
  return history;
}

async function allFills(history: LiveHistory, earner: string): Promise<EarningFill[]> {
  const rows: EarningFill[] = [];
  const always = { earner, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  for (let before: number | null = null; ; ) {
    const page = await history.earnings.fills({ ...always, before }, 7);
    rows.push(...page.rows);
    if (page.next === null) return rows;
    before = page.next;
  }
}

async function told(history: LiveHistory) {
  const all: Record<string, { sums: readonly EarningSum[]; fills: readonly EarningFill[] }> = {};
  for (const earner of EARNERS) {
    const sums = await history.earnings.sums({ earner, ...ALWAYS });
    all[earner] = { sums, fills: await allFills(history, earner) };
  }
  return all;
}

/** What the ledger still has for it. */
function owedTo(run: RandomRun, earner: string): bigint {
  let owed = 0n;
  for (const { name, balance } of run.state.ledger.accounts()) {
    if (name === `fees:${earner}` || name.endsWith(`:fees:${earner}`)) owed += balance;
  }
  return owed;
}

const ofTrades = ({ events }: Outcome): number =>
  events.filter(({ type }) => type === 'trade_executed').length;

describe('earnings', () => {
  it('[RM16] are what the ledger has charged, given back and paid, to the unit', async () => {
    const total = { ...NOTHING_EARNED };
    for (const seed of [1, 2]) {
      const run = playedRun(seed);
      const history = await historyOf(run, 700);
      for (const [earner, { sums, fills }] of Object.entries(await told(history))) {
        const earned = sums.reduce((sum, row) => addEarned(sum, row), NOTHING_EARNED);
        expect(earned.accrued - earned.returned - earned.credited, earner).toBe(
          owedTo(run, earner),
        );
        expect(earned.fills).toBe(fills.length);
        expect(earned.volume).toBe(fills.reduce((sum, { cost }) => sum + cost, 0n));
        const byTrades = fills.reduce((sum, { accrued }) => sum + accrued, 0n);
        // Conversions bring something to creators and referrers too, and are no fills.
        if (earner.startsWith('builder:')) expect(earned.accrued).toBe(byTrades);
        else expect(earned.accrued).toBeGreaterThan(byTrades);
        Object.assign(total, addEarned(total, earned));
      }
    }
    for (const amount of [total.accrued, total.returned, total.credited, total.volume]) {
      expect(amount).toBeGreaterThan(0n);
    }
  });

  it('[RM16] name each trade with its market, cost and share, the newest first', async () => {
    const run = playedRun(3);
    const history = await historyOf(run, 500);
    const fills = await allFills(history, 'builder:app_x');
    const trades = run.committed.flatMap(({ outcome }) =>
      outcome.events.flatMap((event) => {
        if (event.type !== 'trade_executed' || event.builderAppId !== 'app_x') return [];
        const { tradeId, marketId, cost, split, builderFee } = event;
        const accrued = split.builder + builderFee;
        return [{ tradeId: Number(tradeId), marketId, atMs: outcome.atMs, cost, accrued }];
      }),
    );
    expect(trades.length).toBeGreaterThan(20);
    expect(fills).toEqual(trades.reverse());
    const { atMs } = fills[5]!;
    const filter = { earner: 'builder:app_x', before: null, fromMs: atMs, toMs: atMs + 1 };
    const { rows } = await history.earnings.fills(filter, 100);
    expect(rows).toEqual(fills.filter((fill) => fill.atMs === atMs));
  });

  it('[RM16][RM8] are the same whenever they were flushed, stopped and started again', async () => {
    const run = playedRun(4);
    const expected = await told(await historyOf(run, 1_000_000));
    expect(await told(await historyOf(run, 37))).toEqual(expected);
    const folder = mkdtempSync(path.join(tmpdir(), 'earnings-'));
    folders.push(folder);
    const file = path.join(folder, 'read-model.db');
    const first = await open(file);
    first.projector.begin(createState('sandbox'));
    const middle = Math.floor(run.committed.length / 2);
    first.projector.apply(run.committed.slice(0, middle));
    await first.close();
    const second = await open(file);
    second.projector.begin(createState('sandbox'));
    second.projector.apply(run.committed);
    expect(await told(second)).toEqual(expected);
    await second.close();
  });

  it('[RM16] of a referrer begin with the registration of a demo account', async () => {
    const run = playedRun(5);
    const dora = asAccountId('acc_dora');
    const open = { type: 'open_account', accountId: dora, mode: 'demo', parentId: null } as const;
    run.run({ ...open, referrerId: null });
    const amount = usdt(1_000_000_000n);
    run.run({ type: 'deposit', accountId: dora, amount, reference: 'demo' });
    const { id: marketId, outcomes } = [...run.state.markets.values()].find(
      ({ status, pool }) => status === 'active' && pool !== null,
    )!;
    const outcomeId = outcomes[0]!.id;
    const earner = `referrer:${nameOf(2)}`;
    const buy = {
      type: 'place_order',
      accountId: dora,
      marketId,
      outcomeId,
      side: 'buy',
      orderType: 'market',
      price: null,
      lots: lots(3_000),
      timeInForce: 'ioc',
      expiresAtMs: null,
      postOnly: false,
      reduceOnly: false,
      stpMode: 'cancel_resting',
      maxCost: null,
      validUntilMs: null,
      clientOrderId: null,
      builder: null,
      caps: null,
      grant: null,
      execution: 'hybrid',
      acceptPrice: false,
    } as const;
    const fills = async () => (await allFills(await historyOf(run, 700), earner)).length;
    const before = await fills();
    expect(ofTrades(run.run(buy))).toBeGreaterThan(0);
    expect(await fills()).toBe(before);
    run.run({ type: 'register_demo', accountId: dora, referrerId: nameOf(2) });
    const traded = ofTrades(run.run(buy));
    expect(traded).toBeGreaterThan(0);
    expect(await fills()).toBe(before + traded);
  });

  it('[RM16] of days that are not asked for, and of nobody, are nothing', async () => {
    const run = playedRun(1);
    const history = await historyOf(run, 700);
    const { earnings } = history;
    expect(await earnings.sums({ earner: 'builder:app_y', ...ALWAYS })).toEqual([]);
    const earner = 'builder:app_x';
    const all = await earnings.sums({ earner, ...ALWAYS });
    const days = [...new Set(all.map(({ day }) => day))];
    for (const day of days) {
      const one = await earnings.sums({ earner, firstDay: day, lastDay: day });
      expect(one).toEqual(all.filter((row) => row.day === day));
    }
    const last = Math.max(...days);
    expect(await earnings.sums({ earner, firstDay: last + 1, lastDay: last + 9 })).toEqual([]);
  });
});
