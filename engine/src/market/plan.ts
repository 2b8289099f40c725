// What a create would make: all checks of a market to be, and its particulars, without making it.

import { checkFree, frozen } from '../account/money.ts';
import { createPool, type Pool } from '../amm/pool.ts';
import { assert } from '../kit/assert.ts';
import type { MarketId } from '../kit/identity.ts';
import { breach } from '../risk/limits.ts';
import type { Account } from '../state/account.ts';
import { actingAccount, isOperator, isRejection } from '../state/authority.ts';
import type { Actor, CreateMarket, ParamValue } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import {
  type DisplayedOutcome,
  outcomeCount,
  renderOutcomes,
  renderText,
  renderUrl,
} from '../template/display.ts';
import { checkParams, type Params, paramInvalid, paramOf } from '../template/params.ts';
import { latestTemplate, templateUnknown } from '../template/publish.ts';
import { isRecord } from '../template/schema.ts';
import type { Template } from '../template/template.ts';
import { readDecimal } from './exact-decimal.ts';
import { marketIdOf } from './market-id.ts';

export interface MarketPlan {
  readonly kind: 'plan';
  readonly id: MarketId;
  readonly template: Template;
  readonly params: Params;
  readonly creator: Account;
  readonly title: string;
  /** What the template makes of the params; the title, unless the create has one of its own. */
  readonly renderedTitle: string;
  /** Whether it may open without anybody's approval. */
  readonly approved: boolean;
  readonly imageUrl: string | null;
  readonly outcomes: readonly DisplayedOutcome[];
  readonly times: MarketTimes;
  readonly deposit: bigint;
  /** Null when the deposit is zero. */
  readonly pool: Pool | null;
}

export interface MarketTimes {
  readonly opensAtMs: number;
  readonly locksAtMs: number;
  readonly closesAtMs: number;
}

export interface ExistingMarket {
  readonly kind: 'existing';
  readonly market: Market;
}

export function planMarket(
  state: State,
  actor: Actor,
  command: CreateMarket,
): MarketPlan | ExistingMarket | Rejection {
  const fault = checkFields(command);
  if (fault !== null) return fault;
  const creator = actingAccount(state, actor, command.accountId);
  if (isRejection(creator)) return creator;
  if (creator.frozen) return frozen(creator);
  const { templateId, params } = command;
  const existing = isFlat(params)
    ? state.markets.get(marketIdOf(creator.id, templateId, params))
    : undefined;
  if (existing !== undefined) return { kind: 'existing', market: existing };
  const template = latestTemplate(state, templateId);
  if (template === undefined) return templateUnknown(templateId);
  const wrong = checkParams(template.schema, params);
  if (wrong !== null) return wrong;
  const times = timesOf(state, template, params);
  if (isRejection(times)) return times;
  const bounds = checkBounds(template, params) ?? checkStrike(template, params);
  if (bounds !== null) return bounds;
  const deposit = template.definition.minCreatorDeposit;
  const lacking = checkMaker(state, actor, creator, template) ?? checkFree(state, creator, deposit);
  if (lacking !== null) return lacking;
  const renderedTitle = renderText(template.definition.displayDefaults.titleTemplate, params);
  return {
    kind: 'plan',
    id: marketIdOf(creator.id, templateId, params),
    template,
    params,
    creator,
    title: command.displayTitle ?? renderedTitle,
    renderedTitle,
    approved: !needsApproval(state, actor, command, template),
    imageUrl: command.displayImageUrl ?? defaultImage(template, params),
    outcomes: renderOutcomes(template.definition, params),
    times,
    deposit,
    pool: poolOf(template),
  };
}

/** Accounts make markets of their own with money of their own; the exchange's are for operators (MK15, MK16). */
function checkMaker(
  state: State,
  actor: Actor,
  creator: Account,
  { definition }: Template,
): Rejection | null {
  if (isOperator(actor)) return null;
  if (definition.marketType !== 'creator' || definition.minCreatorDeposit === 0n) {
    return reject('MARKET_NOT_APPROVED', { template_id: definition.id });
  }
  const isCrowded = creator.family.openMarkets >= state.parameters.risk.openMarketsPerCreator;
  return state.lane === 'live' && isCrowded ? breach('open_markets') : null;
}

/** Where money is real, somebody looks at a title that is not the template's. */
function needsApproval(
  state: State,
  actor: Actor,
  command: CreateMarket,
  { definition }: Template,
): boolean {
  if (definition.requiresApproval) return true;
  return state.lane === 'live' && command.displayTitle !== null && !isOperator(actor);
}

const TITLE_LENGTH_MAX = 256;
const URL_LENGTH_MAX = 2048;
/** The last moment of the year 9999: later ones have no usual written form. */
const TIME_MAX_MS = 253_402_300_799_999;

function checkFields(command: CreateMarket): Rejection | null {
  const { params, displayTitle, displayImageUrl } = command;
  if (!isRecord(params)) return invalid('params', 'an object');
  if (!isOptionalText(displayTitle, TITLE_LENGTH_MAX)) {
    return invalid('display_title', '1 to 256 characters');
  }
  if (!isOptionalText(displayImageUrl, URL_LENGTH_MAX)) {
    return invalid('display_image_url', '1 to 2048 characters');
  }
  return null;
}

function isOptionalText(value: unknown, lengthMax: number): boolean {
  if (value === null) return true;
  if (typeof value !== 'string' || !value.isWellFormed()) return false;
  return value.length > 0 && value.length <= lengthMax;
}

/** Only values that a schema can allow have an id; anything else is refused by the schema in its turn. */
function isFlat(params: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(params).every((name) => {
    const value = params[name];
    return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  });
}

function timesOf(state: State, template: Template, params: Params): MarketTimes | Rejection {
  const { roundConfig, durationSec } = template.definition;
  const opens = paramOf(params, 'opens_at_ms') ?? state.nowMs;
  if (!isTime(opens)) return paramInvalid('opens_at_ms', 'epoch milliseconds');
  const given = roundConfig === null ? paramOf(params, 'closes_at_ms') : undefined;
  const closes = given ?? opens + (roundConfig ?? { durationSec }).durationSec * 1000;
  if (!isTime(closes)) return paramInvalid('closes_at_ms', 'epoch milliseconds');
  if (closes <= opens) return paramInvalid('closes_at_ms', 'after opens_at_ms');
  const locksAtMs = closes - (roundConfig === null ? 0 : roundConfig.lockOffsetMs);
  if (locksAtMs <= state.nowMs) return paramInvalid('closes_at_ms', 'a lock after now');
  if (closes > state.nowMs + state.parameters.closesWithinMs) {
    return paramInvalid('closes_at_ms', 'within five years');
  }
  return { opensAtMs: opens, locksAtMs, closesAtMs: closes };
}

function isTime(value: ParamValue): value is number {
  return (
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= TIME_MAX_MS
  );
}

function checkBounds(template: Template, params: Params): Rejection | null {
  if (template.definition.outcomeSchema !== 'scalar') return null;
  const lower = readDecimal(paramOf(params, 'lower'));
  if (lower === null) return paramInvalid('lower', 'an exact decimal');
  const upper = readDecimal(paramOf(params, 'upper'));
  if (upper === null) return paramInvalid('upper', 'an exact decimal');
  return lower < upper ? null : paramInvalid('upper', 'above lower');
}

/** A strike that no reading could be compared with would leave the market without a result. */
function checkStrike(template: Template, params: Params): Rejection | null {
  const { outcomeSchema, oracleConfig } = template.definition;
  if (outcomeSchema !== 'binary' || oracleConfig.source === 'manual') return null;
  const strike = paramOf(params, 'strike');
  if (strike === undefined || readDecimal(strike) !== null) return null;
  return paramInvalid('strike', 'an exact decimal');
}

function defaultImage(template: Template, params: Params): string | null {
  const pattern = template.definition.displayDefaults.imageUrlPattern;
  return pattern === null ? null : renderUrl(pattern, params);
}

function poolOf(template: Template): Pool | null {
  const { minCreatorDeposit, prior } = template.definition;
  if (minCreatorDeposit === 0n) return null;
  const result = createPool(
    minCreatorDeposit,
    outcomeCount(template.definition),
    prior?.map(BigInt),
  );
  assert(result.ok, 'the pool was checked when its template was published');
  return result.pool;
}
