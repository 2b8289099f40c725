// Faults put between the engine and the comparison: each must be found, or the comparison proves nothing.
import { apply, type Outcome, type State } from '@sibyl/engine';
import { pips } from '@sibyl/money';
import { describe, expect, it } from 'vitest';
import { type ApplyFunction, Difference } from './compare.ts';
import type { PlainEvent } from './naive/plain.ts';
import { RunFailure, run } from './run.ts';
import { scenarioOf } from './scenario.ts';

const STEPS = 3_000;
/** Every fifth is of the live lane, where money comes and goes. */
const LIVE_SEED = 5;

/** The engine with one kind of event changed on its way out. */
function faulty(change: (event: PlainEvent) => PlainEvent): ApplyFunction {
  return (state, command) => {
    const outcome = apply(state, command);
    const events = outcome.events.map((event) =>
      change(event.type === 'trade_executed' ? event.toJSON() : event),
    );
    return { ...outcome, events } as unknown as Outcome;
  };
}

/** Whether there was one to change. */
function first<Kept>(all: Iterable<Kept>, change: (kept: Kept) => void): boolean {
  for (const kept of all) {
    change(kept);
    return true;
  }
  return false;
}

function finding(faultyApply: ApplyFunction, naive = true, seed = 1): RunFailure {
  try {
    run(scenarioOf(seed), STEPS, { naive, every: 100, snapshotEvery: 0, apply: faultyApply });
  } catch (failure) {
    if (failure instanceof RunFailure) return failure;
    throw failure;
  }
  throw new Error('the fault was not found');
}

describe('[SI2] planted faults', () => {
  it('[FE4] a unit of fee that vanishes is found', () => {
    const failure = finding(
      faulty((event) => {
        if (event.type !== 'trade_executed' || event.split.treasury === 0n) return event;
        return { ...event, split: { ...event.split, treasury: event.split.treasury - 1n } };
      }),
    );
    expect(failure.cause).toBeInstanceOf(Difference);
    expect(failure.message).toContain('split.treasury');
  });

  it('[OB2] a later order served first is found', () => {
    const failure = finding(
      faulty((event) => {
        if (event.type !== 'trade_executed') return event;
        return {
          ...event,
          makers: event.makers.map((maker) => ({ ...maker, orderId: maker.orderId + 1 })),
        };
      }),
    );
    expect(failure.message).toContain('makers.0.orderId');
  });

  it('[RT1] a lot too many from the pool is found', () => {
    const failure = finding(
      faulty((event) => {
        if (event.type !== 'trade_executed' || event.source !== 'pool') return event;
        return { ...event, lots: event.lots + 1 };
      }),
    );
    expect(failure.message).toMatch(/lots: engine \d+, reference \d+/);
  });

  it('[LG4] a posting of one unit more is found', () => {
    const failure = finding(
      faulty((event) => {
        if (event.type !== 'ledger_posted' || event.reason !== 'fill') return event;
        const amounts = event.amounts.map((amount, index) => (index === 0 ? amount + 1n : amount));
        const { type, reason, reference, accounts } = event;
        return { type, reason, reference, accounts, amounts };
      }),
    );
    expect(failure.message).toContain('postings');
  });

  it('[CM5] another refusal than the first is found', () => {
    const failure = finding((state, command) => {
      const outcome = apply(state, command);
      if (outcome.answer.ok || outcome.answer.rejection.code !== 'MARKET_NOT_FOUND') return outcome;
      return { ...outcome, answer: { ok: false, rejection: { code: 'NOT_FOUND', details: {} } } };
    });
    expect(failure.message).toContain('code: engine "NOT_FOUND", reference "MARKET_NOT_FOUND"');
  });

  it('[IV1][IV2] money that appears in the ledger is found without the reference too', () => {
    const failure = finding((state, command) => {
      const outcome = apply(state, command);
      if (command.seq === 500) {
        state.ledger.post(state.insurance, 1n);
        state.ledger.post(state.house.free, -1n);
      }
      return outcome;
    }, false);
    expect(failure.step).toBeLessThanOrEqual(STEPS);
  });

  it('[IV1] a unit that a withdrawal no longer reserves is found without the reference too', () => {
    let isPlanted = false;
    const failure = finding(
      (state, command) => {
        const outcome = apply(state, command);
        for (const account of isPlanted ? [] : state.accounts.values()) {
          if (state.ledger.balance(account.withdrawing) === 0n) continue;
          state.ledger.post(account.withdrawing, -1n);
          state.ledger.post(account.free, 1n);
          isPlanted = true;
          break;
        }
        return outcome;
      },
      false,
      LIVE_SEED,
    );
    expect(failure.message).toContain('for withdrawals of');
  });

  it('[FE12] a unit of one actor that lies with another is found without the reference too', () => {
    let isPlanted = false;
    const failure = finding((state, command) => {
      const outcome = apply(state, command);
      const builder = [...state.vested].find(([key]) => key.startsWith('builder:'))?.[1];
      const treasury = state.vested.get('treasury');
      const isThere = builder !== undefined && state.ledger.balance(builder) > 0n;
      if (isPlanted || !isThere || treasury === undefined) return outcome;
      state.ledger.post(builder, -1n);
      state.ledger.post(treasury, 1n);
      state.ledger.commit({ push: () => {} } as never, 'vesting', 'planted');
      isPlanted = true;
      return outcome;
    }, false);
    expect(failure.message).toMatch(/fees of (builder:app_\d|treasury): \d+ came, \d+ are found/);
  });

  it('[FE10] a credit that pays the same twice is found', () => {
    const failure = finding((state, command) => {
      const outcome = apply(state, command);
      const paid = outcome.events.find(({ type }) => type === 'fees_credited');
      if (paid?.type !== 'fees_credited') return outcome;
      // More than insurance has would be found as a wrong sign before.
      if (state.ledger.balance(state.insurance) < paid.amount) return outcome;
      const account = state.accounts.get(paid.accountId)!;
      account.netDeposits += paid.amount;
      state.ledger.post(state.insurance, -paid.amount);
      state.ledger.post(account.free, paid.amount);
      state.ledger.commit({ push: () => {} } as never, 'revenue', 'planted');
      return outcome;
    }, false);
    expect(failure.message).toMatch(/fees of insurance: \d+ came, \d+ are found/);
  });

  /** Of each kind of record that is kept, the first that is there, changed behind the back of its command. */
  it.each<[string, (state: State) => boolean]>([
    [
      'ticks',
      ({ markets }) =>
        first(markets.values(), (market) => {
          market.tickPips = pips(1);
        }),
    ],
    [
      'compliance',
      (state) => {
        state.compliance = { version: 99, hash: '0'.repeat(64) };
        return true;
      },
    ],
    [
      'parameters',
      (state) => {
        const { risk } = state.parameters;
        state.parameters = { ...state.parameters, risk: { ...risk, openMarketsPerCreator: 3 } };
        return true;
      },
    ],
  ])('a record that only the engine has otherwise is found: %s', (kind, change) => {
    let isPlanted = false;
    const failure = finding(
      (state, command) => {
        const outcome = apply(state, command);
        if (!isPlanted && command.seq > 800 && command.seq % 100 === 0) isPlanted = change(state);
        return outcome;
      },
      true,
      LIVE_SEED,
    );
    expect(failure.message).toMatch(new RegExp(`what is kept|${kind}|IV1`));
  });

  it('[CM1] a command out of place stops the run', () => {
    const failure = finding((state, command) =>
      apply(state, { ...command, seq: command.seq + (command.seq > 50 ? 1 : 0) }),
    );
    expect(failure.step).toBe(51);
  });
});
