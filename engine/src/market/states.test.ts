// Model-based: random commands against a market and a model that knows only the listed transitions.
import type { Pips } from '@sibyl/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  accountName,
  makeWorld,
  ofType,
  PLAIN_PARAMETERS,
  START_MS,
  type World,
} from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import type { CommandBody, ResolutionResult } from '../state/command.ts';
import type { Market, MarketStatus } from '../state/market.ts';

/** The table of engine design 6.1. */
const ALLOWED: Readonly<Record<MarketStatus, readonly MarketStatus[]>> = {
  scheduled: ['active', 'cancelled'],
  active: ['locked', 'cancelled'],
  locked: ['settling', 'cancelled'],
  settling: ['resolved', 'cancelled', 'locked', 'active'],
  resolved: [],
  cancelled: [],
};

const NAMES = ['a', 'b'] as const;
const BOND = 10_000_000n as never;

const results: fc.Arbitrary<ResolutionResult> = fc.constantFrom<ResolutionResult>(
  { kind: 'outcome', outcomeId: 'yes' },
  { kind: 'payout', payout: [4000, 6000] as Pips[] },
  { kind: 'void' },
);

type Move =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'trade'; readonly who: number; readonly text: string }
  | { readonly kind: 'command'; readonly make: (market: Market) => CommandBody };

const command = (make: (market: Market) => CommandBody): Move => ({ kind: 'command', make });

const moves: fc.Arbitrary<Move> = fc.oneof(
  fc
    .constantFrom(1, 30_000, 60_000, 3_600_000, 7_200_000, 7 * 86_400_000)
    .map((ms): Move => ({ kind: 'pass', ms })),
  fc
    .record({
      who: fc.nat(1),
      text: fc.constantFrom('buy 5 yes', 'buy 20 no @ 0.3', 'sell 3 yes', 'sell 4 no @ 0.8'),
    })
    .map((trade): Move => ({ kind: 'trade', ...trade })),
  fc.constant(command((market) => ({ type: 'approve_market', marketId: market.id }))),
  fc.constant(
    command((market) => ({ type: 'halt_market', marketId: market.id, untilMs: null, reason: 'h' })),
  ),
  fc.constant(command((market) => ({ type: 'resume_market', marketId: market.id }))),
  fc.constant(command((market) => ({ type: 'cancel_market', marketId: market.id, reason: 'c' }))),
  fc.record({ result: results, isOperator: fc.boolean() }).map(({ result, isOperator }) =>
    command((market) => ({
      type: 'propose_resolution',
      marketId: market.id,
      proposerId: isOperator ? null : accountName('a'),
      result,
      evidence: ['e'],
      bond: BOND,
    })),
  ),
  fc.constant(
    command((market) => ({
      type: 'dispute_resolution',
      marketId: market.id,
      accountId: accountName('b'),
      evidence: ['e'],
      bond: BOND,
    })),
  ),
  fc.constant(
    command((market) => ({
      type: 'propose_void',
      marketId: market.id,
      cause: 'question',
      reason: 'r',
      evidence: ['e'],
      window: { fromMs: 0, toMs: START_MS + 90 * 86_400_000 },
      excluded: ['no'],
      expected: [10_000, 0] as Pips[],
    })),
  ),
  fc
    .constantFrom('upheld' as const, 'overturned' as const, 'void' as const, 'too_early' as const)
    .map((ruling) =>
      command((market) => ({
        type: 'rule_resolution',
        marketId: market.id,
        ruling,
        alone: true,
        result: ruling === 'overturned' ? { kind: 'outcome', outcomeId: 'no' } : null,
      })),
    ),
  fc.constant(
    command((market) => ({
      type: 'mock_oracle',
      marketId: market.id,
      accountId: accountName('a'),
      winningOutcomeId: 'no',
    })),
  ),
  fc.constant(
    command((market) => ({
      type: 'report_readings',
      marketId: market.id,
      readings: [{ source: 's', value: 'yes' }],
    })),
  ),
);

/** What the model makes of the market's own events: every change must start where the last one ended. */
function follow(
  world: World,
  market: Market,
  events: ReturnType<World['run']>['events'],
  from: MarketStatus,
) {
  let status = from;
  for (const change of ofType(events, 'market_status_changed')) {
    expect(change.from).toBe(status);
    expect(ALLOWED[status]).toContain(change.to);
    status = change.to;
  }
  expect(market.status).toBe(status);
  const isFinal = status === 'resolved' || status === 'cancelled';
  if (isFinal) expect(market).toMatchObject({ closing: null, openOrders: 0 });
  // Only an active market trades or is halted, and only what is not final has orders.
  if (status !== 'active') expect(market).toMatchObject({ openOrders: 0, halted: false });
  if (status === 'settling') expect(market.proposal).not.toBeNull();
  // A ruling to cancel leaves the dispute until operators take the proposal up (VD11).
  const { state, dispute = null } = market.proposal ?? {};
  const isOpen = status === 'settling' && dispute !== null && market.closing === null;
  expect(state === 'disputed').toBe(isOpen && state !== 'void');
  checkAll(world.state);
  return status;
}

test('[MK10][MK9] only the listed transitions occur, whatever is asked in whatever order', () => {
  const reached = new Set<string>();
  const game = fc.record({
    requiresApproval: fc.boolean(),
    isLater: fc.boolean(),
    chunkMax: fc.constantFrom(1, 5000),
    steps: fc.array(moves, { minLength: 1, maxLength: 20 }),
  });
  fc.assert(
    fc.property(game, ({ requiresApproval, isLater, chunkMax, steps }) => {
      const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, chunkMax } });
      world.open(NAMES.join(' '));
      const paramsSchema = { properties: { opens_at_ms: { type: 'integer' } } };
      const market = world.market({
        deposit: 100,
        template: { requiresApproval, paramsSchema, durationSec: 3600 },
        params: isLater ? { opens_at_ms: START_MS + 60_000 } : {},
      });
      let status = market.status;
      expect(status).toBe(requiresApproval || isLater ? 'scheduled' : 'active');
      for (const move of steps) {
        const outcome =
          move.kind === 'pass'
            ? world.pass(move.ms)
            : move.kind === 'trade'
              ? world.place(NAMES[move.who]!, market, move.text).outcome
              : world.run(move.make(market));
        const next = follow(world, market, outcome.events, status);
        for (const change of ofType(outcome.events, 'market_status_changed')) {
          reached.add(`${change.from} → ${change.to}`);
        }
        status = next;
      }
    }),
    // Enough for the rarest transition to be reached in every run.
    { numRuns: 3000 },
  );
  expect([...reached].sort()).toEqual([
    'active → cancelled',
    'active → locked',
    'locked → cancelled',
    'locked → settling',
    'scheduled → active',
    'scheduled → cancelled',
    'settling → active',
    'settling → cancelled',
    'settling → locked',
    'settling → resolved',
  ]);
});
