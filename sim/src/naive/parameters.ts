// Changing parameters: which of them, how far, and what must hold between them.
import { checkOperator, isWhole } from './authority.ts';
import type { CommandOf, PlainAnswer, PlainParameters } from './plain.ts';
import { DONE, Refusals } from './refusal.ts';
import type { World } from './world.ts';

const DAY = 86_400_000;

/** Least and most of every number that may be changed; amounts as bigints, and null for a switch. */
const CHANGEABLE: Readonly<Record<string, Readonly<Record<string, readonly unknown[] | null>>>> = {
  fee: {
    conversionRate: [110_000, 1_000_000],
    rebatesPaid: null,
    creatorWeight: [0, 10_000],
    builderWeight: [0, 10_000],
    referrerWeight: [0, 10_000],
    oracleWeight: [0, 10_000],
    insuranceWeight: [0, 10_000],
    builderFeeBpsMax: [0, 100],
  },
  quality: { restingMs: [500, 600_000], targetLots: [1, 1_000_000], lookOrdersMax: [64, 5000] },
  band: {
    pips: [1, 2000],
    windows: [1, 100],
    haltMs: [1000, DAY],
    haltEveryMs: [1000, 7 * DAY],
  },
  risk: {
    openOrdersPerMarket: [1, 10_000],
    openOrdersPerAccount: [1, 100_000],
    positionLotsMax: [1, 100_000_000_000],
    openNotionalMax: [1n, 10n ** 15n],
    openMarketsPerCreator: [0, 10_000],
  },
  resolution: {
    challengeMs: [0, 30 * DAY],
    accountChallengeMs: [0, 30 * DAY],
    bondMin: [0n, 10n ** 15n],
    bondEscrowBps: [0, 10_000],
    proposalDeadlineMs: [3_600_000, 365 * DAY],
  },
};

const WHOLE_SECONDS = ['challengeMs', 'accountChallengeMs'];

export function setParameters(world: World, command: CommandOf<'set_parameters'>): PlainAnswer {
  const { part, values } = command;
  const refusals = new Refusals(world);
  const known = CHANGEABLE[part];
  const names = Object.keys(values);
  if (known === undefined) refusals.field('part', 'a part');
  else {
    if (names.length === 0) refusals.field('values', 'some');
    for (const name of names.sort())
      if (!fits(known, name, values[name])) refusals.field(`values.${name}`, 'within its bounds');
  }
  const parameters = { ...world.parameters, [part]: { ...world.parameters[part], ...values } };
  if (!refusals.any) checkTogether(parameters, refusals);
  checkOperator(command.actor, refusals);
  if (refusals.any) return refusals.answer();
  world.parameters = parameters;
  world.parametersVersion += 1;
  const version = world.parametersVersion;
  world.events.push({ type: 'parameters_changed', version, part, values });
  return DONE;
}

function fits(
  known: Readonly<Record<string, readonly unknown[] | null>>,
  name: string,
  value: unknown,
): boolean {
  const bounds = known[name];
  if (bounds === undefined) return false;
  if (bounds === null) return value === true || value === false;
  const [least, most] = bounds;
  if (typeof least === 'bigint' && typeof most === 'bigint')
    return typeof value === 'bigint' && value >= least && value <= most;
  if (!isWhole(value) || value < Number(least) || value > Number(most)) return false;
  return !WHOLE_SECONDS.includes(name) || value % 1000 === 0;
}

function checkTogether({ fee, band, risk }: PlainParameters, refusals: Refusals): void {
  const { creatorWeight, builderWeight, referrerWeight, oracleWeight, insuranceWeight } = fee;
  if (creatorWeight + builderWeight + referrerWeight + oracleWeight + insuranceWeight > 10_000)
    refusals.field('values.creatorWeight', 'weights within the whole');
  else if (band.haltMs > band.haltEveryMs) refusals.field('values.haltEveryMs', 'not too often');
  else if (risk.openOrdersPerMarket > risk.openOrdersPerAccount)
    refusals.field('values.openOrdersPerMarket', 'no more than of the account');
}
