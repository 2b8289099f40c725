// What somebody could do who knows everything about rounds but the secret: guess from the prices up to the lock.

import type { TemplateDefinition } from '@sibyl/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testPrices } from '../../test/test-prices.ts';
import { seedTemplates } from '../seed/templates.ts';
import { roundOf } from './rounds.ts';

const ROUNDS = 2_000;
const FIRST_ROUND = 10_000_000;
const FIRST_MS = Date.UTC(2026, 10, 15);
const fast = seedTemplates('sandbox').filter(({ marketType }) => marketType === 'fast');

/** A round as it was seen up to its lock, and how it went on. */
interface Seen {
  readonly strike: number;
  /** In cents, one a second from the opening to the lock, both included. */
  readonly ticks: readonly number[];
  readonly leftSec: number;
  readonly isUp: boolean;
}

function roundsOf(template: TemplateDefinition): readonly Seen[] {
  const prices = testPrices();
  return Array.from({ length: ROUNDS }, (_, index) => {
    const { params, locksAtMs, closesAtMs } = roundOf(template, FIRST_ROUND + index, prices);
    const ticks: number[] = [];
    for (let atMs = params.opens_at_ms; atMs <= locksAtMs; atMs += 1_000) {
      ticks.push(prices.cents(params.symbol, atMs));
    }
    const strike = Math.round(Number(params.strike) * 100);
    const isUp = prices.cents(params.symbol, closesAtMs) >= strike;
    return { strike, ticks, leftSec: (closesAtMs - locksAtMs) / 1000, isUp };
  });
}

const last = (ticks: readonly number[], back = 0): number => ticks.at(-1 - back) ?? 0;

/** The price that a straight line through the ticks reaches at the close. */
function trendAtClose({ ticks, leftSec }: Seen): number {
  const middle = (ticks.length - 1) / 2;
  const mean = ticks.reduce((sum, tick) => sum + tick, 0) / ticks.length;
  let across = 0;
  let along = 0;
  for (const [second, tick] of ticks.entries()) {
    across += (second - middle) * (tick - mean);
    along += (second - middle) ** 2;
  }
  return mean + (across / along) * (middle + leftSec);
}

const guesses: Readonly<Record<string, (seen: Seen) => boolean>> = {
  'the sign at the lock': ({ ticks, strike }) => last(ticks) >= strike,
  'the last second': ({ ticks }) => last(ticks) >= last(ticks, 1),
  'the last ten seconds': ({ ticks }) => last(ticks) >= last(ticks, 10),
  'the last minute': ({ ticks }) => last(ticks) >= last(ticks, 60),
  'the last minute carried on': ({ ticks, strike, leftSec }) =>
    last(ticks) + ((last(ticks) - last(ticks, 60)) * leftSec) / 60 >= strike,
  'the last minute turned back': ({ ticks, strike }) => last(ticks, 60) >= strike,
  'the mean': ({ ticks, strike }) =>
    ticks.reduce((sum, tick) => sum + tick, 0) / ticks.length >= strike,
  'the trend': (seen) => trendAtClose(seen) >= seen.strike,
};

describe('[BO6] nothing up to the lock tells the result of a round in more than four of five', () => {
  it.each(fast.map((template) => [template.id, template] as const))('%s', (id, template) => {
    const seen = roundsOf(template);
    const shares = Object.entries(guesses).map(([name, guess]) => {
      const right = seen.filter((round) => guess(round) === round.isUp).length;
      return [name, right / seen.length] as const;
    });
    const shown = shares.map(([name, share]) => `${name} ${(100 * share).toFixed(1)} %`);
    process.stdout.write(`${id}, ${ROUNDS} rounds: ${shown.join(', ')}\n`);
    for (const [name, share] of shares) expect(share, name).toBeLessThanOrEqual(0.8);
    const [[, atLock] = ['', 0]] = shares;
    expect(atLock, 'prices still matter').toBeGreaterThan(0.7);
  });

  it('another secret makes other rounds', () => {
    const resultsOf = (secret: number): readonly boolean[] => {
      const prices = testPrices(secret);
      return Array.from({ length: ROUNDS }, (_, index) => {
        const { params, closesAtMs } = roundOf(fast[0]!, index, prices);
        return prices.cents(params.symbol, closesAtMs) >= Math.round(Number(params.strike) * 100);
      });
    };
    const other = resultsOf(2);
    const same = resultsOf(1).filter((isUp, index) => isUp === other[index]).length;
    expect(same / ROUNDS).toBeGreaterThan(0.45);
    expect(same / ROUNDS).toBeLessThan(0.55);
  });
});

describe('[BO7] the reference price', () => {
  it('is a decimal with two places and a function of secret, symbol and second alone', () => {
    const prices = testPrices();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 42 }), (atMs) => {
        const price = prices.price('BTC', atMs);
        expect(price).toMatch(/^[0-9]{5,6}\.[0-9]{2}$/);
        expect(testPrices().price('BTC', atMs)).toBe(price);
        expect(prices.price('BTC', atMs - (atMs % 1_000))).toBe(price);
      }),
    );
  });

  it('is as rough in seconds as in hours: four times the time, twice the move', () => {
    const prices = testPrices();
    const moveOver = (seconds: number): number => {
      let squares = 0;
      for (let step = 0; step < 4_000; step += 1) {
        const atMs = FIRST_MS + step * seconds * 1_000;
        const base = prices.cents('BTC', atMs);
        squares += (prices.cents('BTC', atMs + seconds * 1_000) / base - 1) ** 2;
      }
      return Math.sqrt(squares / 4_000 / seconds);
    };
    const second = moveOver(1);
    for (const seconds of [4, 60, 300, 3_600]) {
      expect(moveOver(seconds) / second, `${seconds} s`).toBeGreaterThan(0.9);
      expect(moveOver(seconds) / second, `${seconds} s`).toBeLessThan(1.1);
    }
  });

  it('stays near its base over years', () => {
    const prices = testPrices();
    for (let day = 0; day < 3_650; day += 1) {
      const part = prices.cents('ETH', FIRST_MS + day * 86_400_000) / 392_000;
      expect(Math.abs(part - 1)).toBeLessThan(0.4);
    }
  });

  it('is found within a millisecond, wherever the last one was asked for', () => {
    const prices = testPrices();
    // Time of the processor: the machine may be busy.
    const before = process.cpuUsage();
    for (let step = 0; step < 10_000; step += 1) {
      prices.cents('BTC', FIRST_MS + ((step * 7_919_000_003) % 31_536_000_000));
    }
    expect(process.cpuUsage(before).user / 1_000 / 10_000).toBeLessThan(1);
  });
});
