// A market's lifecycle before it ends: creation, approval, halting, and the timers that open and lock it.
import { createHash } from 'node:crypto';
import { checkAccount, checkOperator, isWhole } from './authority.ts';
import { haltNow, startBand } from './band.ts';
import { openBook } from './book-price.ts';
import { beginLock, beginUntraded } from './closing.ts';
import { decimalOf, isLess } from './decimal.ts';
import { Entry } from './entry.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { openPool } from './pool.ts';
import { awaitSample } from './quality.ts';
import { accepted, DONE, Refusals } from './refusal.ts';
import { badParam, render, usableTemplate } from './templates.ts';
import {
  ammName,
  balance,
  escrowName,
  familyOf,
  findMarket,
  freeName,
  isFinal,
  isFrozen,
  issueName,
  type NaiveMarket,
  type NaiveTemplate,
  needMarket,
  PLATFORM,
  reservedName,
  type World,
} from './world.ts';

const TIME_MAX = 253_402_300_799_999;

function createMarket(world: World, command: CommandOf<'create_market'>): PlainAnswer {
  const { accountId, templateId, params, displayTitle, displayImageUrl } = command;
  const refusals = new Refusals(world);
  const text = (value: string | null, most: number): boolean =>
    value === null || (value.length >= 1 && value.length <= most);
  if (!text(displayTitle, 256)) refusals.field('display_title', '1 to 256 characters');
  if (!text(displayImageUrl, 2048)) refusals.field('display_image_url', '1 to 2048 characters');
  const account = checkAccount(world, command.actor, accountId, refusals);
  if (refusals.any || account === undefined) return refusals.answer();
  const marketId = marketIdOf(accountId, templateId, params);
  if (findMarket(world, marketId) !== undefined)
    return accepted({ kind: 'market', marketId, existed: true });
  const template = usableTemplate(world, templateId);
  if (template === undefined) {
    refusals.add('MARKET_TEMPLATE_UNKNOWN');
    return refusals.answer();
  }
  const times = checkParams(world, template, params, refusals);
  const deposit = template.definition.minCreatorDeposit;
  if (command.actor.kind === 'account') checkCreator(world, template, accountId, refusals);
  const free = balance(world, freeName(accountId));
  const reserved = balance(world, reservedName(accountId));
  if (free < deposit) refusals.add('BALANCE_INSUFFICIENT', { required: deposit, free, reserved });
  if (refusals.any) return refusals.answer();
  const ownTitle =
    world.lane === 'live' && command.actor.kind === 'account' && displayTitle !== null;
  const approved = !template.definition.requiresApproval && !ownTitle;
  const founding = { marketId, accountId, params, displayTitle, displayImageUrl, approved };
  found(world, template, times, founding);
  return accepted({ kind: 'market', marketId, existed: false });
}

/** Accounts make markets of their own kind and with their own money, and in live not too many. */
function checkCreator(
  world: World,
  template: NaiveTemplate,
  accountId: string,
  refusals: Refusals,
): void {
  const { id, marketType, minCreatorDeposit } = template.definition;
  if (marketType !== 'creator' || minCreatorDeposit === 0n)
    refusals.add('MARKET_NOT_APPROVED', { template_id: id });
  const family = familyOf(world, accountId);
  const open = world.markets.filter(
    (market) => !isFinal(market) && familyOf(world, market.creatorId) === family,
  );
  if (world.lane === 'live' && open.length >= world.parameters.risk.openMarketsPerCreator)
    refusals.add('RISK_LIMIT_BREACH', { limit: 'open_markets' });
}

interface Times {
  readonly opensAtMs: number;
  readonly closesAtMs: number;
  readonly locksAtMs: number;
}

interface Founding {
  readonly marketId: string;
  readonly accountId: string;
  readonly params: NaiveMarket['params'];
  readonly displayTitle: string | null;
  readonly displayImageUrl: string | null;
  readonly approved: boolean;
}

function found(world: World, template: NaiveTemplate, times: Times, founding: Founding): void {
  const { definition } = template;
  const { marketId, accountId, params, approved } = founding;
  const outcomes = outcomesOf(template, params);
  const deposit = definition.minCreatorDeposit;
  const deadlineMs = times.closesAtMs + world.parameters.resolution.proposalDeadlineMs;
  const market: NaiveMarket = {
    id: marketId,
    template: definition,
    params,
    creatorId: accountId,
    outcomes,
    ...times,
    createdAtMs: world.nowMs,
    deposit,
    pool: deposit === 0n ? null : openPool(deposit, outcomes.length, definition.prior),
    holders: [],
    makers: new Map(),
    made: [],
    status: 'scheduled',
    approved,
    halted: false,
    isTraded: false,
    haltedUntilMs: null,
    tickPips: definition.tickPips,
    clarifications: 0,
    closing: null,
    chunkAtMs: null,
    lastPrices: outcomes.map(() => null),
    activeSinceMs: null,
    sampleAtMs: null,
    noted: null,
    changes: [],
    base: { atMs: world.nowMs, prices: [] },
    bandHits: { window: 0, count: 0, haltedAtMs: null },
    runs: [],
    book: openBook(),
    tradedMs: 0,
    deepMids: [],
    deadlineMs,
    proposal: null,
  };
  world.markets.push(market);
  if (approved && times.opensAtMs <= world.nowMs) activate(world, market);
  const pattern = definition.displayDefaults.imageUrlPattern;
  const renderedTitle = render(definition.displayDefaults.titleTemplate, params, false);
  world.events.push({
    type: 'market_created',
    marketId,
    templateId: definition.id,
    templateVersion: template.version,
    accountId,
    title: founding.displayTitle ?? renderedTitle,
    renderedTitle,
    imageUrl: founding.displayImageUrl ?? (pattern === null ? null : render(pattern, params, true)),
    outcomes,
    status: market.status,
    approved,
    ...times,
    deposit,
  });
  const entry = new Entry(world).move(freeName(accountId), escrowName(marketId), deposit);
  for (let index = 0; index < outcomes.length; index += 1) {
    entry.move(issueName(marketId, index), ammName(marketId, index), deposit);
  }
  entry.commit('market_deposit', marketId);
  if (times.opensAtMs > world.nowMs) {
    world.timers.push({ dueMs: times.opensAtMs, kind: 'market_open', subject: marketId });
  }
  world.timers.push({ dueMs: times.locksAtMs, kind: 'market_lock', subject: marketId });
  world.timers.push({ dueMs: deadlineMs, kind: 'proposal_deadline', subject: marketId });
}

function activate(world: World, market: NaiveMarket): void {
  market.status = 'active';
  market.activeSinceMs = world.nowMs;
  startBand(world, market);
  awaitSample(world, market);
}

function outcomesOf(
  template: NaiveTemplate,
  params: NaiveMarket['params'],
): NaiveMarket['outcomes'] {
  const { outcomeSchema, outcomes } = template.definition;
  if (outcomeSchema === 'binary') {
    return [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No' },
    ];
  }
  if (outcomeSchema === 'scalar') {
    return [
      { id: 'long', label: 'Long' },
      { id: 'short', label: 'Short' },
    ];
  }
  return outcomes.map(({ id, label }) => ({ id, label: render(label, params, false) }));
}

function checkParams(
  world: World,
  template: NaiveTemplate,
  params: NaiveMarket['params'],
  refusals: Refusals,
): Times {
  const { definition } = template;
  const bad = (param: string): void => refusals.add('MARKET_TEMPLATE_PARAM_INVALID', { param });
  const wrong = badParam(definition.paramsSchema, params);
  if (wrong !== null) bad(wrong);
  const { opens_at_ms: opensParam, closes_at_ms: closesParam } = params;
  for (const [name, value] of [
    ['opens_at_ms', opensParam] as const,
    ['closes_at_ms', closesParam] as const,
  ]) {
    if (name === 'closes_at_ms' && definition.roundConfig !== null) continue;
    if (value !== undefined && !(isWhole(value) && value >= 0 && value <= TIME_MAX)) bad(name);
  }
  const opensAtMs = typeof opensParam === 'number' ? opensParam : world.nowMs;
  const round = definition.roundConfig;
  let closesAtMs = opensAtMs + definition.durationSec * 1000;
  if (typeof closesParam === 'number') closesAtMs = closesParam;
  if (round !== null) closesAtMs = opensAtMs + round.durationSec * 1000;
  const locksAtMs = closesAtMs - (round?.lockOffsetMs ?? 0);
  const latestMs = world.nowMs + world.parameters.closesWithinMs;
  if (closesAtMs <= opensAtMs || locksAtMs <= world.nowMs || closesAtMs > latestMs)
    bad('closes_at_ms');
  if (definition.outcomeSchema === 'scalar') {
    const lower = decimalOf(params.lower);
    const upper = decimalOf(params.upper);
    if (lower === null) bad('lower');
    else if (upper === null || !isLess(lower, upper)) bad('upper');
  }
  const { strike } = params;
  const automatic = definition.oracleConfig.source !== 'manual';
  if (
    definition.outcomeSchema === 'binary' &&
    automatic &&
    strike !== undefined &&
    decimalOf(strike) === null
  ) {
    bad('strike');
  }
  return { opensAtMs, closesAtMs, locksAtMs };
}

/** Over the canonical JSON of the three fields, keys sorted at every depth. */
function marketIdOf(accountId: string, templateId: string, params: NaiveMarket['params']): string {
  const inner = Object.keys(params)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${JSON.stringify(params[key])}`);
  const creator = accountId === PLATFORM ? 'null' : JSON.stringify(accountId);
  const json = `{"creator":${creator},"params":{${inner.join(',')}},"template_id":${JSON.stringify(templateId)}}`;
  return `m_${createHash('sha256').update(json, 'utf8').digest('hex').slice(0, 16)}`;
}

function approveMarket(world: World, command: CommandOf<'approve_market'>): PlainAnswer {
  const refusals = new Refusals(world);
  checkOperator(command.actor, refusals);
  const market = findMarket(world, command.marketId);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else if (market.approved || isFinal(market) || market.closing !== null)
    refusals.add('STATE_CONFLICT');
  if (refusals.any || market === undefined) return refusals.answer();
  market.approved = true;
  world.events.push({ type: 'market_approved', marketId: market.id });
  if (market.opensAtMs <= world.nowMs) openNow(world, market);
  return DONE;
}

function openNow(world: World, market: NaiveMarket): void {
  activate(world, market);
  world.events.push({
    type: 'market_status_changed',
    marketId: market.id,
    from: 'scheduled',
    to: 'active',
  });
}

export function openRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  if (market.status === 'scheduled' && market.approved && market.closing === null)
    openNow(world, market);
}

export function lockRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  if (market.closing !== null) return;
  if (market.status === 'active') beginLock(world, market, false);
  else if (market.status === 'scheduled') beginUntraded(world, market, 'not_approved');
}

function haltMarket(world: World, command: CommandOf<'halt_market'>): PlainAnswer {
  const { untilMs, reason } = command;
  const refusals = new Refusals(world);
  if (untilMs !== null && !(isWhole(untilMs) && untilMs > world.nowMs))
    refusals.field('until_ms', 'a later time');
  if (reason.length < 1 || reason.length > 256) refusals.field('reason', '1 to 256 characters');
  const market = findActive(world, command, refusals);
  if (refusals.any || market === undefined) return refusals.answer();
  haltNow(world, market, reason, untilMs);
  return DONE;
}

function resumeMarket(world: World, command: CommandOf<'resume_market'>): PlainAnswer {
  const refusals = new Refusals(world);
  const market = findActive(world, command, refusals);
  if (market !== undefined && !market.halted) refusals.add('STATE_CONFLICT');
  if (refusals.any || market === undefined) return refusals.answer();
  resume(world, market);
  return DONE;
}

function findActive(
  world: World,
  command: CommandOf<'halt_market'> | CommandOf<'resume_market'>,
  refusals: Refusals,
): NaiveMarket | undefined {
  checkOperator(command.actor, refusals);
  const market = findMarket(world, command.marketId);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else if (market.status !== 'active' || market.closing !== null) refusals.add('STATE_CONFLICT');
  return market;
}

function resume(world: World, market: NaiveMarket): void {
  market.halted = false;
  market.haltedUntilMs = null;
  startBand(world, market);
  world.events.push({ type: 'market_resumed', marketId: market.id });
}

export function resumeRings(world: World, marketId: string): void {
  const market = needMarket(world, marketId);
  if (market.status === 'active' && market.closing === null) resume(world, market);
}

/** Whether it has had a fill or a conversion (VD16). */
function isTraded({ isTraded, holders }: NaiveMarket): boolean {
  return isTraded || holders.length > 0;
}

function cancelMarket(world: World, command: CommandOf<'cancel_market'>): PlainAnswer {
  const { marketId, reason, actor } = command;
  const refusals = new Refusals(world);
  if (reason.length < 1 || reason.length > 256) refusals.field('reason', '1 to 256 characters');
  const market = findMarket(world, marketId);
  if (actor.kind === 'account') {
    const scratch = new Refusals({ refusing: false });
    const creator =
      market === undefined ? undefined : checkAccount(world, actor, market.creatorId, scratch);
    if (market?.status !== 'scheduled' || creator === undefined) refusals.add('NOT_FOUND');
    else if (isFrozen(world, creator)) refusals.add('SUBACCOUNT_FROZEN');
  } else if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  if (market !== undefined && (isFinal(market) || market.closing !== null))
    refusals.add('STATE_CONFLICT');
  if (market !== undefined && isTraded(market)) refusals.add('STATE_CONFLICT');
  if (refusals.any || market === undefined) return refusals.answer();
  beginUntraded(world, market, reason);
  return DONE;
}

export const MARKET_COMMANDS = {
  create_market: createMarket,
  approve_market: approveMarket,
  halt_market: haltMarket,
  resume_market: resumeMarket,
  cancel_market: cancelMarket,
};
