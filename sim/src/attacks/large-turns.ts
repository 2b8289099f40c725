// RT10: single commands that make the engine do very much, so that everybody else waits.
import { DEFAULT_PARAMETERS, type Event, type MarketId } from '@sibyl/engine';
import { Arena, HOUR, SECOND } from './arena.ts';
import { type Attack, attack, knob, type Measured } from './attack.ts';
import { onTick, place, send, type Wish } from './trading.ts';

/** Units of a walk: one for each order filled, as many as there are outcomes for each step of the pool, the last one whole. */
const UNITS_MAX = 5_000;
/** 5,000 orders or postings, each with an event of its own and an entry, and what the command itself says. */
const EVENTS_MAX = 10_100;

const PER_ACCOUNT = DEFAULT_PARAMETERS.risk.openOrdersPerMarket;

function unitsOf(events: readonly Event[], outcomes: number): number {
  let units = 0;
  for (const event of events) {
    if (event.type !== 'trade_executed') continue;
    units += event.source === 'pool' ? outcomes : 1;
  }
  return units;
}

function timed<T>(act: () => T): { readonly result: T; readonly ms: number } {
  const beginMs = performance.now();
  const result = act();
  return { result, ms: Math.round(performance.now() - beginMs) };
}

/** Small orders by many accounts, each of as many as one may have; bids for the others meet a buyer of the first. */
function fillBook(arena: Arena, accounts: number, order: (index: number) => Wish): void {
  for (let account = 0; account < accounts; account += 1) {
    const name = `small${account}`;
    arena.open(name, 100_000);
    for (let index = 0; index < PER_ACCOUNT; index += 1) place(arena, name, order(index));
  }
}

function smallBid(marketId: MarketId) {
  return (index: number) =>
    ({ marketId, outcome: 1, side: 'buy', lots: 1 + (index % 3), price: 4_000 }) as const;
}

function finding(arena: Arena, measure: Readonly<Record<string, Measured>>) {
  return (unit: 'events' | 'units', value: number, bound: number) =>
    arena.report({
      putIn: 0n,
      tookOut: 0n,
      measure,
      unit,
      value: BigInt(value),
      bound: BigInt(bound),
    });
}

export const oneSweep: Attack = attack({
  rule: 'RT10',
  name: 'one order that fills thousands',
  knobs: { accounts: knob(60, 1, 100), deposit: knob(0, 0, 1_000) },
  run: ({ accounts, deposit }) => {
    const arena = new Arena();
    const marketId = arena.market({ deposit });
    fillBook(arena, accounts, smallBid(marketId));
    arena.open('a', 10_000_000);
    const wish = { marketId, outcome: 0, side: 'buy', lots: 1_000_000, price: 6_000 } as const;
    const { result, ms } = timed(() => send(arena, 'a', { ...wish, timeInForce: 'ioc' }));
    const units = unitsOf(result.events, 2);
    return finding(arena, { events: result.events.length, ms })('units', units, UNITS_MAX);
  },
});

/** The lock fell due long ago: all its steps are due when the next command comes. */
export const lateLock: Attack = attack({
  rule: 'RT10',
  name: 'a lock of many orders after downtime',
  knobs: { accounts: knob(60, 1, 100), lateMs: knob(HOUR, SECOND, 24 * HOUR) },
  run: ({ accounts, lateMs }) => {
    const arena = new Arena();
    const marketId = arena.market({ durationSec: 3_600 });
    fillBook(arena, accounts, smallBid(marketId));
    const { result, ms } = timed(() => arena.advance(HOUR + lateMs));
    const events = result.events.length;
    return finding(arena, { events, ms })('events', events, EVENTS_MAX);
  },
});

/** Orders of one moment all expire with the first command after it. */
export const lateExpiry: Attack = attack({
  rule: 'RT10',
  name: 'thousands of orders that expire at once',
  knobs: { accounts: knob(60, 1, 100), spreadMs: knob(0, 0, 60 * SECOND) },
  run: ({ accounts, spreadMs }) => {
    const arena = new Arena();
    const marketId = arena.market({});
    const expiresAtMs = arena.nowMs + HOUR;
    fillBook(arena, accounts, (index) => ({
      ...smallBid(marketId)(index),
      timeInForce: 'gtd',
      expiresAtMs: expiresAtMs + Math.floor((spreadMs * index) / PER_ACCOUNT),
    }));
    const { result, ms } = timed(() => arena.advance(HOUR + spreadMs));
    const events = result.events.length;
    return finding(arena, { events, ms })('events', events, EVENTS_MAX);
  },
});

/** Every step through the pool weighs as much as there are outcomes, and orders everywhere make many steps. */
export const manyOutcomes: Attack = attack({
  rule: 'RT10',
  name: 'one order across 64 outcomes',
  knobs: {
    outcomes: knob(64, 3, 64),
    accounts: knob(20, 1, 20),
    lots: knob(2_000, 1, 10_000),
    deposit: knob(1_300, 100, 10_000),
  },
  run: ({ outcomes, accounts, lots, deposit }) => {
    const arena = new Arena();
    const marketId = arena.market({ deposit, outcomes });
    // Spread over prices that are met one after the other as the first outcome rises.
    fillBook(arena, accounts, (index) => ({
      marketId,
      outcome: 1 + (index % (outcomes - 1)),
      side: 'buy',
      lots,
      price: onTick((10_000 / outcomes) * (1 - ((index * 7) % PER_ACCOUNT) / PER_ACCOUNT)),
    }));
    arena.open('a', 10_000_000);
    const wish = { marketId, outcome: 0, side: 'buy', lots: 10_000_000, price: 9_990 } as const;
    const { result, ms } = timed(() => send(arena, 'a', { ...wish, timeInForce: 'ioc' }));
    const units = unitsOf(result.events, outcomes);
    const bound = UNITS_MAX + outcomes;
    return finding(arena, { events: result.events.length, ms })('units', units, bound);
  },
});
