// The fixed-seed slice of the simulation that every test run repeats: engine against reference, command by command.
import { describe, expect, it } from 'vitest';
import { type FeeAccount, unseenFees } from './fee-book.ts';
import { type RunResult, run } from './run.ts';
import { scenarioOf } from './scenario.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 14];
const COMPARED_STEPS = 4_200;
const ALONE_SEEDS = [11, 15];
const ALONE_STEPS = 4_000;

const compared = new Map<number, RunResult>();
/** Two tests look at the same runs, which are most of what this file takes. */
function comparedRun(seed: number): RunResult {
  const known = compared.get(seed);
  if (known !== undefined) return known;
  const options = { naive: true, every: 250, snapshotEvery: 700 };
  const result = run(scenarioOf(seed), COMPARED_STEPS, options);
  compared.set(seed, result);
  return result;
}

describe('[SI1] engine and reference side by side', () => {
  for (const seed of SEEDS) {
    const scenario = scenarioOf(seed);
    it(`[IV1][LG4][SN2] seed ${seed} (${scenario.lane}): ${COMPARED_STEPS} commands, event by event and balance by balance`, () => {
      const result = comparedRun(seed);
      expect(result.steps).toBe(COMPARED_STEPS);
      expect(result.trades).toBeGreaterThan(200);
      expect(result.finalMarkets).toBeGreaterThan(3);
    });
  }
});

/** Kinds of commands that the runs above must do with success; a refusal of one proves little. */
const DONE = [
  ...['open_subaccount', 'change_subaccount', 'transfer', 'freeze_account'],
  ...['deposit', 'correct_balance', 'report_deposit'],
  ...['withdraw', 'advance_withdrawal', 'cancel_withdrawal'],
  ...['set_parameters', 'set_tick_size', 'clarify_market', 'attach_chain_data'],
  ...['set_own_limits', 'exclude_self', 'set_compliance', 'set_read_only'],
  ...['credit_fees', 'pay_platform_fees'],
  ...['propose_void', 'propose_void_rounds', 'rule_resolution'],
];

it('[SI5] the compared runs do all that families, operators, users and custodies do', () => {
  const came = new Set<string>();
  for (const seed of SEEDS) {
    for (const kind of comparedRun(seed).answers.keys()) came.add(kind);
  }
  expect(DONE.filter((type) => !came.has(`${type} ok`))).toEqual([]);
  // Steps that come too late or contradict what was said before are tried as well.
  expect(came).toContain('advance_withdrawal STATE_CONFLICT');
  expect(came).toContain('cancel_withdrawal STATE_CONFLICT');
  for (const type of ['place_order', 'amend_order', 'mint_sets']) {
    expect(came).toContain(`${type} DELEGATION_EXPIRED`);
    expect(came).toContain(`${type} DELEGATION_DAILY_CAP_EXCEEDED`);
  }
});

it('[FE12] of all that the runs charged every actor finds each unit once, and some of it everywhere', () => {
  const all = new Map<string, FeeAccount>();
  for (const seed of SEEDS) {
    for (const [key, account] of comparedRun(seed).fees) {
      const { charged, received, unvested, vested, paid, returned } = account;
      expect(charged + received, key).toBe(unvested + vested + paid + returned);
      all.set(`${seed} ${key}`, account);
    }
  }
  for (const role of ['creator', 'builder', 'referrer', 'insurance', 'treasury']) {
    const accounts = [...all].filter(([key]) => key.split(/[ :]/)[1] === role);
    for (const place of ['unvested', 'vested', 'paid', 'returned'] as const) {
      expect(
        accounts.some(([, account]) => account[place] > 0n),
        `${role} ${place}`,
      ).toBe(true);
    }
  }
});

it('[SI6] a run that charges or pays an actor nothing is told from one that charges and pays all', () => {
  const { fees } = comparedRun(SEEDS[0] ?? 1);
  const short = run(scenarioOf(1), 20, { naive: false, every: 0, snapshotEvery: 0 });
  expect(unseenFees(short.fees)).toHaveLength(12);
  const everywhere = new Map(SEEDS.flatMap((seed) => [...comparedRun(seed).fees]));
  expect(unseenFees(everywhere)).toEqual([]);
  const withoutApps = new Map([...fees].filter(([key]) => !key.startsWith('builder')));
  expect(unseenFees(withoutApps)).toEqual(
    expect.arrayContaining(['builder charged', 'builder paid']),
  );
});

describe('the engine alone, further on', () => {
  for (const seed of ALONE_SEEDS) {
    const scenario = scenarioOf(seed);
    it(`[CM10][SN1] seed ${seed} (${scenario.lane}): the same again gives the same outcomes and state, with and without snapshots`, () => {
      const first = run(scenario, ALONE_STEPS, {
        naive: false,
        every: 500,
        snapshotEvery: 900,
        hashEvents: true,
      });
      const again = run(scenario, ALONE_STEPS, {
        naive: false,
        every: 0,
        snapshotEvery: 0,
        hashEvents: true,
      });
      expect(again.stateHash).toBe(first.stateHash);
      expect(again.eventsHash).toBe(first.eventsHash);
    });
  }
});
