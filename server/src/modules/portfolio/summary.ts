// GET /v1/portfolio/summary: what an account is worth, where that comes from, and how it did.
import type { OperationInput, PortfolioSummary } from '@sibyl/contract';
import { type Account, type AccountId, asMarketId, type State } from '@sibyl/engine';
import type { StatementEntry } from '@sibyl/history';
import { Turns } from '@sibyl/lane';
import { fail, type RequestContext } from '../../handling/handler.ts';
import { ASSET, accountMode } from '../../wire/account-mode.ts';
import { amountText } from '../../wire/amounts.ts';
import { type Histories, historyOf } from '../../wire/histories.ts';
import { openingPrice, pricesOf } from '../../wire/market-view.ts';
import { equitySeries, type OutcomeFacts } from './equity-series.ts';
import { readPast } from './past-lines.ts';
import { type TrackRecord, trackRecord } from './track-record.ts';
import { type Worth, worthOf } from './worth.ts';

type Range = NonNullable<OperationInput<'getPortfolioSummary'>['query']['range']>;

/** Those who ask for long histories take turns with each other and with everybody else. */
const turns = new Turns();

const MICRO = 1_000_000n;
const TENTH = 100_000n;

export async function readSummary(
  histories: Histories,
  request: RequestContext,
  accountId: AccountId,
  range: Range,
): Promise<PortfolioSummary> {
  const now = await request.lane.read((state) => {
    const account = state.accounts.get(accountId);
    if (account === undefined) throw fail('NOT_FOUND', { account_id: accountId });
    return factsOf(state, account);
  });
  const { worth, head } = now;
  const history = historyOf(histories, request.laneName);
  const past = await readPast(history, accountId);
  // What was booked since the state was looked at is left for the next time.
  const lines = past.lines.filter(({ seq }) => seq <= now.seq);
  const markets = await request.lane.read((state) => marketsOf(state, worth, lines));
  const payoutOf = (id: string, outcomeId: string) => markets.get(`${id} ${outcomeId}`)!.payout;
  const record = await trackRecord(lines, payoutOf, turns);
  const subject = {
    ...now,
    fromMs: Math.max(now.openedAtMs, past.coversFromMs ?? 0),
    equity: worth.equity,
    money: worth.free + worth.reserved,
    held: worth.held,
    outcomeOf: (id: string, outcomeId: string) => markets.get(`${id} ${outcomeId}`)!,
  };
  const series = await equitySeries(history, subject, lines, range, turns);
  return {
    ...head,
    ...recordView(record),
    exposure: exposureOf(worth),
    covers_from_ms: past.coversFromMs,
    range,
    series: series.map(({ atMs, equity }) => ({ ts_ms: atMs, equity: amountText(equity) })),
  };
}

function recordView({ feesPaid, rebates, settled, won, buckets }: TrackRecord) {
  const share = settled === 0 ? null : (BigInt(won) * MICRO) / BigInt(settled);
  return {
    fees_paid: amountText(feesPaid),
    rebates: amountText(rebates),
    settled_positions: settled,
    win_rate: share === null ? null : amountText(share),
    calibration: buckets.map(({ positions, cameTrue }, tenth) => ({
      from: amountText(BigInt(tenth) * TENTH),
      to: amountText(BigInt(tenth + 1) * TENTH),
      positions,
      came_true: cameTrue,
    })),
  };
}

interface KnownOutcome extends OutcomeFacts {
  /** What a share of it paid; null in a market that did not resolve. */
  readonly payout: bigint | null;
}

/** Every outcome that the account has or had, by market and outcome. */
function marketsOf(
  state: State,
  { held }: Worth,
  lines: readonly StatementEntry[],
): ReadonlyMap<string, KnownOutcome> {
  const outcomes = new Map<string, KnownOutcome>();
  const ids = new Set(held.map(({ marketId }) => marketId));
  for (const { shares } of lines) if (shares !== null) ids.add(shares.marketId);
  for (const id of ids) {
    const market = state.markets.get(asMarketId(id))!;
    const payouts = market.status === 'resolved' ? pricesOf(market) : null;
    for (const [outcome, { id: outcomeId }] of market.outcomes.entries()) {
      const facts = { outcome, openingPrice: openingPrice(market, outcome) };
      outcomes.set(`${id} ${outcomeId}`, { ...facts, payout: payouts?.[outcome] ?? null });
    }
  }
  return outcomes;
}

/** All that is taken from the state at one moment. */
function factsOf(state: State, account: Account) {
  const worth = worthOf(state, account);
  return {
    seq: state.seq,
    nowMs: state.nowMs,
    openedAtMs: account.openedAtMs,
    worth,
    stakedAt: stakesOf(state, account),
    head: {
      account_id: account.id,
      asset: ASSET,
      mode: accountMode(account),
      equity: amountText(worth.equity),
      balance_free: amountText(worth.free),
      balance_reserved: amountText(worth.reserved),
      staked: amountText(worth.staked),
      net_deposits: amountText(worth.netDeposits),
      realized_pnl: amountText(worth.realized),
      unrealized_pnl: amountText(worth.unrealized),
    },
  };
}

/** What lay in the account's own markets at a time; a bond counts as if it had always been there. */
function stakesOf(state: State, account: Account): (atMs: number) => bigint {
  const stakes: { readonly fromMs: number; readonly toMs: number; readonly amount: bigint }[] = [];
  let inMarkets = 0n;
  if (account.family.markets > 0) {
    for (const { creator, createdAtMs, settledAtMs, deposit } of state.markets.values()) {
      if (creator !== account) continue;
      const toMs = settledAtMs ?? Number.POSITIVE_INFINITY;
      stakes.push({ fromMs: createdAtMs, toMs, amount: deposit });
      if (settledAtMs === null) inMarkets += deposit;
    }
  }
  const bonds = account.staked - inMarkets;
  return (atMs) =>
    stakes.reduce(
      (sum, { fromMs, toMs, amount }) => (fromMs <= atMs && atMs < toMs ? sum + amount : sum),
      bonds,
    );
}

function exposureOf({ held }: Worth): PortfolioSummary['exposure'] {
  const byCategory = new Map<string, { positions: number; value: bigint; cost: bigint }>();
  for (const { category, value, cost } of held) {
    const known = byCategory.get(category) ?? { positions: 0, value: 0n, cost: 0n };
    byCategory.set(category, {
      positions: known.positions + 1,
      value: known.value + value,
      cost: known.cost + cost,
    });
  }
  return [...byCategory]
    .sort(([, a], [, b]) => (a.value < b.value ? 1 : -1))
    .map(([category, { positions, value, cost }]) => ({
      category,
      positions,
      value: amountText(value),
      cost: amountText(cost),
    }));
}
