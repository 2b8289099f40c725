// Changing parameters while a lane runs: which may be changed, within which bounds, and what was changed when (PM1).
import { MAX_LOTS, type Usdt } from '@sibyl/money';
import { safeBound } from '../kit/micro.ts';
import { isOperator } from './authority.ts';
import type { Actor, ParameterPart, ParameterValue, SetParameters } from './command.ts';
import { type Answer, DONE } from './outcome.ts';
import type { Parameters } from './parameters.ts';
import { invalid, type Rejection, reject } from './reject.ts';
import { accept, refuse, type Turn } from './turn.ts';

/** One version of a lane's parameters: what it changed of the one before. */
export interface ParameterChange {
  /** The first change makes version 2. */
  readonly version: number;
  readonly atMs: number;
  readonly part: ParameterPart;
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly actor: string;
  readonly reason: string;
}

export function setParameters(turn: Turn, actor: Actor, command: SetParameters): Answer {
  const { state, events } = turn;
  const { part, values } = command;
  const fault = checkValues(part, values);
  if (fault !== null) return refuse(fault);
  const parameters: Parameters = {
    ...state.parameters,
    [part]: { ...state.parameters[part], ...values },
  };
  const clash = checkTogether(parameters);
  if (clash !== null) return refuse(clash);
  if (!isOperator(actor)) return refuse(reject('NOT_FOUND'));
  const version = state.parameterChanges.length + 2;
  const { name, reason } = actor.kind === 'operator' ? actor : { name: 'system', reason: '' };
  const change = { version, atMs: state.nowMs, part, values, actor: name, reason };
  state.parameters = parameters;
  state.openNotionalMax = safeBound(parameters.risk.openNotionalMax);
  state.parameterChanges = [...state.parameterChanges, change];
  events.push({ type: 'parameters_changed', version, part, values });
  return accept(DONE);
}

interface WholeBound {
  readonly kind: 'whole';
  readonly min: number;
  readonly max: number;
  readonly step: number;
}
type Bound =
  | WholeBound
  | { readonly kind: 'amount'; readonly min: bigint; readonly max: bigint }
  | { readonly kind: 'switch' };

const whole = (min: number, max: number, step = 1): WholeBound => ({
  kind: 'whole',
  min,
  max,
  step,
});
const DAY_MS = 86_400_000;
const WEIGHTS_MAX = 10_000;
const weight = whole(0, WEIGHTS_MAX);
/** µUSDT that no order comes near, so that every sum of them stays exact. */
const AMOUNT_MAX = 1_000_000_000_000_000n;

type PartBounds = {
  readonly [Part in ParameterPart]: Readonly<Partial<Record<keyof Parameters[Part], Bound>>>;
};

/**
 * What may be changed. The rest is the specification's (the ends of the fee curve, the faucet), is measured in what the
 * state already holds (steps, slices, marks, windows that run), or keeps a command short.
 */
const BOUNDS: PartBounds = {
  fee: {
    // Less than it is by default would make a mint and a sale cheaper than a purchase.
    conversionRate: whole(110_000, 1_000_000),
    rebatesPaid: { kind: 'switch' },
    creatorWeight: weight,
    builderWeight: weight,
    referrerWeight: weight,
    oracleWeight: weight,
    insuranceWeight: weight,
    builderFeeBpsMax: whole(0, 100),
  },
  quality: {
    restingMs: whole(500, 600_000),
    targetLots: whole(1, 1_000_000),
    lookOrdersMax: whole(64, 5_000),
  },
  band: {
    pips: whole(1, 2_000),
    windows: whole(1, 100),
    haltMs: whole(1_000, DAY_MS),
    haltEveryMs: whole(1_000, 7 * DAY_MS),
  },
  risk: {
    openOrdersPerMarket: whole(1, 10_000),
    openOrdersPerAccount: whole(1, 100_000),
    positionLotsMax: whole(1, MAX_LOTS),
    openNotionalMax: { kind: 'amount', min: 1n, max: AMOUNT_MAX },
    bidReserveMin: { kind: 'amount', min: 0n, max: 1_000_000_000n },
    openMarketsPerCreator: whole(0, 10_000),
  },
  resolution: {
    challengeMs: whole(0, 30 * DAY_MS, 1000),
    accountChallengeMs: whole(0, 30 * DAY_MS, 1000),
    bondMin: { kind: 'amount', min: 0n, max: AMOUNT_MAX },
    bondEscrowBps: whole(0, 10_000),
    proposalDeadlineMs: whole(3_600_000, 365 * DAY_MS),
  },
};

function checkValues(part: ParameterPart, values: SetParameters['values']): Rejection | null {
  if (!Object.hasOwn(BOUNDS, part)) return invalid('part', Object.keys(BOUNDS).join(', '));
  const bounds: Readonly<Record<string, Bound>> = BOUNDS[part];
  const names = typeof values === 'object' && values !== null ? Object.keys(values).sort() : [];
  if (names.length === 0) return invalid('values', `some of ${Object.keys(bounds).join(', ')}`);
  for (const name of names) {
    const path = `values.${name}`;
    const bound = Object.hasOwn(bounds, name) ? bounds[name] : undefined;
    if (bound === undefined) return invalid(path, `one of ${Object.keys(bounds).join(', ')}`);
    if (!isWithin(values[name], bound)) return invalid(path, wordsOf(bound));
  }
  return null;
}

function isWithin(value: unknown, bound: Bound): boolean {
  switch (bound.kind) {
    case 'switch':
      return typeof value === 'boolean';
    case 'amount':
      return typeof value === 'bigint' && value >= bound.min && value <= bound.max;
    case 'whole':
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) return false;
      return value >= bound.min && value <= bound.max && value % bound.step === 0;
  }
}

function wordsOf(bound: Bound): string {
  if (bound.kind === 'switch') return 'true or false';
  if (bound.kind === 'amount') return `an amount of ${bound.min} to ${bound.max} µUSDT`;
  const { min, max, step } = bound;
  return step === 1 ? `${min} to ${max}` : `${min} to ${max} in steps of ${step}`;
}

/** What holds between fields, whichever of them was changed. */
function checkTogether({ fee, band, risk }: Parameters): Rejection | null {
  const { creatorWeight, builderWeight, referrerWeight, oracleWeight, insuranceWeight } = fee;
  const weights = creatorWeight + builderWeight + referrerWeight + oracleWeight + insuranceWeight;
  if (weights > WEIGHTS_MAX) {
    return invalid('values.creatorWeight', `weights that sum to at most ${WEIGHTS_MAX}`);
  }
  if (band.haltEveryMs < band.haltMs) return invalid('values.haltEveryMs', 'at least haltMs');
  if (risk.openOrdersPerMarket > risk.openOrdersPerAccount) {
    return invalid('values.openOrdersPerMarket', 'at most openOrdersPerAccount');
  }
  return null;
}

/** The parts of the parameters that may be changed, with the names of their amounts. */
export function isAmountParameter(part: ParameterPart, name: string): boolean {
  const bounds: Readonly<Record<string, Bound>> = BOUNDS[part];
  return bounds[name]?.kind === 'amount';
}

/** What may be changed, as it stands. */
export function changeableParameters(
  parameters: Parameters,
): Readonly<Record<ParameterPart, Readonly<Record<string, ParameterValue | Usdt>>>> {
  const parts = Object.entries(BOUNDS).map(([part, bounds]) => {
    const values: object = parameters[part as ParameterPart];
    return [
      part,
      Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(bounds, name))),
    ];
  });
  return Object.fromEntries(parts);
}
