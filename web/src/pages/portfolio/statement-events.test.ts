// Entries as a real exchange booked them: an order that filled in part and rested, a batch, a cancellation, a deposit.
import type { LedgerEntry } from '@sibyl/sdk';
import { describe, expect, it } from 'vitest';
import { eventsOf } from './statement-events.ts';

const MARKET = 'm_20056f70e72f0147';

let serial = 1_000;

/** Newest first, as the exchange lists them: `seq reason bucket asset amount balance ref`. */
function entriesOf(lines: string): readonly LedgerEntry[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [seq = '', reason, bucket, of, amount = '', after = '', ref = ''] = line
        .trim()
        .split(/ +/);
      const isMoney = of === 'USDT';
      serial -= 1;
      return {
        entry_id: `le_${serial}`,
        seq: Number(seq),
        asset: isMoney ? 'USDT' : null,
        market_id: isMoney ? null : MARKET,
        outcome_id: isMoney ? null : of,
        bucket,
        amount,
        balance_after: after,
        reason,
        ref_id: ref,
        created_at: '2026-11-14T12:00:00.000Z',
        created_at_ms: 1_794_657_600_000,
      } as LedgerEntry;
    });
}

const entries = entriesOf(`
  9 order_release free USDT 264.137500 9423.871334 ord_2
  9 order_release reserved USDT -264.137500 0.000000 ord_2
  8 order_reserve reserved USDT 264.137500 264.137500 ord_2
  8 order_reserve free USDT -264.137500 9159.733834 ord_2
  8 trade free yes 119.750000 144.750000 trd_2
  8 maker_rebate free USDT 0.019017 9423.871334 trd_2
  8 taker_fee free USDT -0.126521 9423.852317 trd_2
  8 trade free USDT -63.391429 9423.978838 trd_2
  7 trade free yes 25.000000 25.000000 trd_1
  7 taker_fee free USDT -0.025216 9487.370267 trd_1
  7 trade free USDT -12.604517 9487.395483 trd_1
  6 market_deposit free USDT -500.000000 9500.000000 ${MARKET}
  5 faucet free USDT 10000.000000 10000.000000 acc_1
`);

describe('[WP13] the statement', () => {
  it('has one event for a trade with its fee, its rebate and what it reserved', () => {
    expect(eventsOf(entries, false)).toMatchObject([
      { reason: 'order_release', money: '0', held: '-264.1375', isHold: true },
      {
        reason: 'trade',
        marketId: MARKET,
        outcomeId: 'yes',
        money: '-63.498933',
        shares: '119.75',
        fee: '0.126521',
        isHold: false,
      },
      { reason: 'trade', money: '-12.629733', shares: '25', fee: '0.025216' },
      { reason: 'market_deposit', marketId: MARKET, money: '-500', shares: '0' },
      { reason: 'faucet', marketId: null, asset: 'USDT', money: '10000' },
    ]);
  });

  it('has one event for No on an answer, which mints sets and sells the shares of that answer', () => {
    const booked = entriesOf(`
      8 taker_fee free USDT -0.004116 9992.426314 trd_1
      8 trade free USDT 2.441430 9992.430430 trd_1
      8 trade free second -10.000000 0.000000 trd_1
      8 mint free third 10.000000 10.000000 ${MARKET}
      8 mint free second 10.000000 10.000000 ${MARKET}
      8 mint free first 10.000000 10.000000 ${MARKET}
      8 mint free USDT -10.011000 9989.989000 ${MARKET}
      7 mint free second 5.000000 5.000000 ${MARKET}
      7 mint free first 5.000000 5.000000 ${MARKET}
      7 mint free USDT -5.000000 10000.000000 ${MARKET}
    `);
    expect(eventsOf(booked, false)).toMatchObject([
      {
        ...{ reason: 'trade', isNo: true, outcomeId: 'second', shares: '10' },
        ...{ money: '-7.573686', fee: '0.004116', balanceAfter: '9992.426314', isHold: false },
      },
      { reason: 'mint', isNo: false, outcomeId: null, shares: '10', money: '-5' },
    ]);
  });

  it('has the balance after each event, which holds do not change', () => {
    const balances = eventsOf(entries, false).map((event) => event.balanceAfter);
    expect(balances).toEqual(['9423.871334', '9423.871334', '9487.370267', '9500', '10000']);
  });

  it('has the nets of its events as its sum', () => {
    const events = eventsOf(entries, false);
    const net = events.reduce(
      (sum, { money }) => sum + BigInt(Math.round(Number(money) * 1e6)),
      0n,
    );
    expect(net).toBe(9_423_871_334n);
  });

  it('leaves out the oldest command while it may have more entries', () => {
    expect(eventsOf(entries.slice(0, 7), true)).toHaveLength(1);
    expect(eventsOf(entries.slice(0, 7), false)).toHaveLength(2);
  });

  it('tells what a batch bought from what it sold', () => {
    const batch = entriesOf(`
      3 trade free yes -10.000000 0.000000 trd_5
      3 taker_fee free USDT -0.010000 104.980000 trd_5
      3 trade free USDT 5.000000 104.990000 trd_5
      3 trade free no 1.000000 2.000000 trd_4
      3 trade free USDT -0.500000 99.990000 trd_4
      3 trade free no 1.000000 1.000000 trd_3
      3 taker_fee free USDT -0.010000 100.490000 trd_3
      3 trade free USDT -0.500000 100.500000 trd_3
    `);
    const events = eventsOf(batch, false);
    expect(events).toMatchObject([
      { outcomeId: 'yes', shares: '-10', money: '4.99', fee: '0.01' },
      { outcomeId: 'no', shares: '2', money: '-1.01', fee: '0.01' },
    ]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(2);
  });

  it('has a complete set as one event of no single outcome', () => {
    const [minted] = eventsOf(
      entriesOf(`
        4 mint free no 5.000000 5.000000 ${MARKET}
        4 mint free yes 5.000000 151.750000 ${MARKET}
        4 mint free USDT -5.005500 9417.763292 ${MARKET}
      `),
      false,
    );
    expect(minted).toMatchObject({ reason: 'mint', marketId: MARKET, outcomeId: null });
    expect(minted).toMatchObject({ money: '-5.0055', isHold: false });
  });
});
