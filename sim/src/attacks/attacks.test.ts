// Every attack must fail: each runs with its usual numbers and with a few mutations of them.
import { describe, expect, it } from 'vitest';
import { Prng } from '../prng.ts';
import { succeeds } from './attack.ts';
import { ATTACKS } from './roster.ts';
import { search } from './search.ts';

const BUDGET = { mutations: 3, commands: 0 };

/** Names and values of the attacks on a rule that came beyond their bound. */
function broken(rule: string): readonly string[] {
  const tried = ATTACKS.filter((strategy) => strategy.rule === rule);
  expect(tried.length).toBeGreaterThan(0);
  return tried.flatMap((strategy, index) => {
    const { report } = search(strategy, BUDGET, new Prng(index + 1));
    const { value, bound, unit } = report;
    return succeeds(report) ? [`${strategy.name}: ${value} above ${bound} ${unit}`] : [];
  });
}

describe('attacks', () => {
  it('[MK15] nobody makes markets as if they were the house', () => {
    expect(broken('MK15')).toEqual([]);
  });

  it('[MK3][MK5] no market trades under a title or an end that nobody has seen', () => {
    expect(broken('MK5')).toEqual([]);
  });

  it('[RK1][RK2][RK3] caps and limits count what really happens', () => {
    expect(broken('RK1')).toEqual([]);
    expect(broken('RK2')).toEqual([]);
    expect(broken('RK3')).toEqual([]);
  });

  it('[RK6][RK7] a sell counts what it gives away', () => {
    expect(broken('RK6')).toEqual([]);
  });

  it('[FE9] a detour by way of sets saves nothing', () => {
    expect(broken('FE9')).toEqual([]);
  });

  it('[VD1][VD5] a displaced price does not move what a cancellation pays', () => {
    expect(broken('VD1')).toEqual([]);
    expect(broken('VD5')).toEqual([]);
  });

  it('[SI7][VD3][VD8] a cancellation pays colluders no more than a fiftieth of the deposit', () => {
    expect(broken('VD3')).toEqual([]);
    expect(broken('VD8')).toEqual([]);
  });

  it('[VD11] a loser who proposes to cancel is paid nothing', () => {
    expect(broken('VD11')).toEqual([]);
  });

  it('[VD14] fees go back to the payer and to no other', () => {
    expect(broken('VD14')).toEqual([]);
  });

  it('[RS5] nobody settles what belongs to others', () => {
    expect(broken('RS5')).toEqual([]);
  });

  it('[RS1][RS9] a proposal neither takes a market nor pays before anybody could object', () => {
    expect(broken('RS1')).toEqual([]);
  });

  it('[PB1][PB4] nobody keeps a market halted or runs beyond the band', () => {
    expect(broken('PB4')).toEqual([]);
  });

  it('[PB5] no outcome leaves its band because others are traded', () => {
    expect(broken('PB5')).toEqual([]);
  });

  it('[OR17] bids of next to nothing cut no order short', () => {
    expect(broken('OR17')).toEqual([]);
  });

  it('[RT10][MK11][CM11] no command does more than its part', () => {
    expect(broken('RT10')).toEqual([]);
  });

  it('[SF1] a mid that was moved pays nothing', () => {
    expect(broken('SF1')).toEqual([]);
  });

  it('[RK8] simulated fills count what they may bring', () => {
    expect(broken('RK8')).toEqual([]);
  });

  it('[QS4] quality takes presence', () => {
    expect(broken('QS4')).toEqual([]);
  });
});
