// Acts of an operator on what runs: finer ticks, clarifications, settlement metadata, parameters.
import type { CommandOf } from '../naive/plain.ts';
import type { Prng } from '../prng.ts';
import type { Body } from './draw-lifecycle.ts';
import type { KnownMarket, View } from './view.ts';

/** On a market that is there. */
export function drawOperatorAct(random: Prng, view: View, market: KnownMarket): Body {
  const kind = random.weighted([
    [4, 'tick'],
    [2, 'clarify'],
    [2, 'attach'],
    [4, 'parameters'],
  ] as const);
  switch (kind) {
    case 'tick':
      return { type: 'set_tick_size', marketId: market.id, tickPips: drawTick(random, market) };
    case 'clarify':
      return { type: 'clarify_market', marketId: market.id, text: drawText(random) };
    case 'attach':
      return {
        type: 'attach_chain_data',
        record: drawRecord(random, view, market),
        data: random.pick(['{"chain":"test","tx":"0x00"}', '{}', null]),
      };
    default:
      return drawParameters(random);
  }
}

/** Mostly a finer one that divides the one before. */
function drawTick(random: Prng, { tickPips }: KnownMarket): number {
  const finer = [1, 2, 5, 10, 20, 25, 50, 100].filter(
    (tick) => tick < tickPips && tickPips % tick === 0,
  );
  if (finer.length > 0 && random.chance(4, 5)) return random.pick(finer);
  return random.pick([tickPips, 1, 3, 4, 50, 1000]);
}

function drawText(random: Prng): string {
  return random.pick(['The source of record is the final report.', 'x'.repeat(2000), ' \n']);
}

function drawRecord(
  random: Prng,
  view: View,
  market: KnownMarket,
): CommandOf<'attach_chain_data'>['record'] {
  const kind = random.pick(['market', 'account', 'trade'] as const);
  if (kind === 'market') return { kind, id: market.id };
  if (kind === 'account') return { kind, id: random.pick(view.accounts).id };
  return { kind, id: random.between(0, view.tradeCount + 1) };
}

type Parts = CommandOf<'set_parameters'>['part'];
type Values = CommandOf<'set_parameters'>['values'];

/** Within its bounds more often than not, and now and then at odds with what else is set. */
function drawParameters(random: Prng): Extract<Body, { type: 'set_parameters' }> {
  const drawn: readonly (readonly [Parts, Values])[] = [
    ['fee', { rebatesPaid: random.chance(1, 2) }],
    ['fee', { conversionRate: random.pick([110_000, 109_999, 150_000]) }],
    ['fee', { creatorWeight: random.pick([0, 2500, 9000]), oracleWeight: random.between(0, 2000) }],
    ['fee', { builderFeeBpsMax: random.pick([0, 20, 100, 101]) }],
    [
      'quality',
      { restingMs: random.pick([500, 5000, 499]), targetLots: random.between(1, 60_000) },
    ],
    ['quality', { lookOrdersMax: random.pick([64, 500, 5000]) }],
    ['band', { pips: random.pick([1, 300, 2000, 2001]), windows: random.between(1, 4) }],
    ['band', { haltMs: random.pick([1000, 30_000, 200_000]), haltEveryMs: 120_000 }],
    ['risk', { openOrdersPerMarket: random.pick([6, 40, 200, 3000]) }],
    ['risk', { openOrdersPerAccount: random.pick([5, 25, 2000]) }],
    ['risk', { positionLotsMax: random.pick([40_000, 100_000_000_000, 0]) }],
    ['risk', { openNotionalMax: random.pick([3_000_000_000n, 10n ** 15n, 0n]) }],
    ['risk', { openMarketsPerCreator: random.pick([0, 2, 20]) }],
    ['resolution', { challengeMs: random.pick([0, 7_200_000, 1500]) }],
    ['resolution', { accountChallengeMs: 1_200_000, bondEscrowBps: random.pick([0, 100]) }],
    ['resolution', { bondMin: random.pick([0n, 10_000_000n]), proposalDeadlineMs: 3_600_000 }],
    ['resolution', { rulingAlarmMs: 1 }],
    ['risk', {}],
  ];
  const [part, values] = random.pick(drawn);
  return { type: 'set_parameters', part, values };
}
