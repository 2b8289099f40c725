// Finding, publishing and deprecating templates.

import type { InputOf, OperatorOperations, TemplateInput } from '@sibyl/contract';
import { asTemplateId, type Outcome, type TemplateDefinition } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { type Pips, parseLots, parseMoney, parsePips, pips, type Usdt } from '@sibyl/money';
import { ApiError, fail, type Reply, type RequestContext } from '../handling/handler.ts';
import { answerFirst, isAnswered } from '../wire/first-answer.ts';
import { templateFault } from './challenge-window.ts';
import {
  act,
  laneOf,
  type OperatorHandlers,
  type OperatorParts,
  type TemplateView,
} from './parts.ts';

export function templateActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'findTemplates' | 'publishTemplate' | 'deprecateTemplate'> {
  return {
    async findTemplates(_request, { query }) {
      const watched = laneOf(parts, query.lane);
      if (watched instanceof ApiError) return watched;
      const found = await parts.views.templates(query.lane, query.template_id);
      const { status: wanted } = query;
      const templates = found.filter(({ status }) => wanted === undefined || status === wanted);
      return { data: { templates } };
    },
    publishTemplate: (request, { body }) => publish(parts, request, body),
    async deprecateTemplate(request, { params, body }) {
      const watched = laneOf(parts, body.lane);
      if (watched instanceof ApiError) return watched;
      const templateId = asTemplateId(params.template_id);
      const outcome = await act(watched.lane, request, body, {
        type: 'deprecate_template',
        templateId,
      });
      if (outcome instanceof ApiError) return outcome;
      return shown(parts, request, watched.lane, outcome, templateId);
    },
  };
}

type Publication = InputOf<OperatorOperations['publishTemplate']>['body'];

async function publish(
  parts: OperatorParts,
  request: RequestContext,
  body: Publication,
): Promise<Reply<TemplateView> | ApiError> {
  const watched = laneOf(parts, body.lane);
  if (watched instanceof ApiError) return watched;
  const template = definitionOf(body.template);
  if (template instanceof ApiError) return template;
  const { id, version } = body.template;
  const { idempotency, receivedAtMs } = request;
  const { versions, isRepeated } = await watched.lane.read((state) => ({
    versions: state.templates.get(template.id)?.length ?? 0,
    isRepeated: idempotency !== undefined && isAnswered(state, idempotency, receivedAtMs),
  }));
  if (version !== versions + 1 && !isRepeated) {
    return fail('CONFLICT', { field: 'version', expected: versions + 1 });
  }
  const tooShort = templateFault(body.lane, template, parts.challengeMinSec);
  if (tooShort !== null && !isRepeated) return tooShort;
  const outcome = await act(watched.lane, request, body, { type: 'publish_template', template });
  if (outcome instanceof ApiError) return outcome;
  return shown(parts, request, watched.lane, outcome, id);
}

function shown(
  parts: OperatorParts,
  request: RequestContext,
  lane: Lane,
  outcome: Outcome,
  templateId: string,
): Promise<Reply<TemplateView> | ApiError> {
  return answerFirst(parts, lane, request, outcome, async () => ({
    data: await parts.views.template(lane.name, templateId),
    replayed: outcome.replayed,
  }));
}

const DURATION_SEC = 30 * 86_400;
const TICK_PIPS = pips(10);
const MIN_LOTS = 100;

/** What the interface leaves open takes the house's usual values; the engine checks everything. */
function definitionOf(input: TemplateInput): TemplateDefinition | ApiError {
  const minBet = amount('min_bet', input.min_bet);
  const maxBet = amount('max_bet', input.max_bet);
  const deposit = amount('min_creator_deposit', input.min_creator_deposit);
  const { bond: bondText } = input.oracle_config;
  const bond = bondText === undefined ? null : amount('oracle_config.bond', bondText);
  for (const parsed of [minBet, maxBet, deposit, bond]) {
    if (parsed instanceof ApiError) return parsed;
  }
  const band = input.price_band === undefined ? null : parsePips(input.price_band);
  if (band !== null && !band.ok) {
    return fail('VALIDATION_FAILED', { field: 'price_band', expected: 'at most 0.2' });
  }
  const grid = gridOf(input);
  if (grid instanceof ApiError) return grid;
  const round = input.round_config ?? null;
  return {
    id: asTemplateId(input.id),
    name: input.name,
    category: input.category,
    marketType: input.market_type,
    outcomeSchema: input.outcome_schema,
    outcomes: input.outcomes ?? [],
    minBet: minBet as Usdt,
    maxBet: maxBet as Usdt,
    feeSchedule: {
      makerBps: input.fee_schedule.maker_bps,
      takerBps: input.fee_schedule.taker_bps,
      settleBps: input.fee_schedule.settle_bps,
    },
    paramsSchema: input.params_schema,
    displayDefaults: {
      titleTemplate: input.display_defaults.title_template,
      subtitleTemplate: input.display_defaults.subtitle_template ?? null,
      description: input.display_defaults.description ?? null,
      imageUrlPattern: input.display_defaults.image_url_pattern ?? null,
      ...translationsOf(input),
    },
    roundConfig:
      round === null
        ? null
        : { durationSec: round.duration_sec, lockOffsetMs: round.lock_offset_ms },
    oracleConfig: {
      source: input.oracle_config.source,
      params: (input.oracle_config.params ?? {}) as TemplateDefinition['oracleConfig']['params'],
      challengeSec: input.oracle_config.challenge_sec ?? null,
      bond: bond as Usdt | null,
    },
    minCreatorDeposit: deposit as Usdt,
    durationSec: input.duration_sec ?? DURATION_SEC,
    ...grid,
    requiresApproval: input.requires_approval ?? false,
    bandPips: band === null ? null : band.value,
  };
}

type Grid = Pick<TemplateDefinition, 'tickPips' | 'minLots' | 'prior'>;

/** Prices and sizes that markets of the template take, and where they open. */
function gridOf({ tick_size: tick, min_size: size, prior }: TemplateInput): Grid | ApiError {
  const tickPips = tick === undefined ? TICK_PIPS : pipsOf(tick);
  if (tickPips === null) return wrong('tick_size', 'a divisor of 1 with up to 4 places');
  const minLots = size === undefined ? MIN_LOTS : lotsOf(size);
  if (minLots === null) return wrong('min_size', 'a size with up to 2 places');
  const opening = prior?.map(pipsOf) ?? null;
  const prices = opening?.filter((price) => price !== null) ?? null;
  if (prices?.length !== opening?.length) return wrong('prior', 'prices with up to 4 places');
  return { tickPips, minLots, prior: prices };
}

function pipsOf(text: string): Pips | null {
  const parsed = parsePips(text);
  return parsed.ok ? parsed.value : null;
}

function lotsOf(text: string): number | null {
  const parsed = parseLots(text);
  return parsed.ok ? parsed.value : null;
}

function wrong(field: string, expected: string): ApiError {
  return fail('VALIDATION_FAILED', { field, expected });
}

function translationsOf({ display_defaults: { translations } }: TemplateInput) {
  if (translations === undefined) return {};
  const entries = Object.entries(translations).map(
    ([tag, { title_template: titleTemplate, subtitle_template: subtitleTemplate = null }]) =>
      [tag, { titleTemplate, subtitleTemplate }] as const,
  );
  return { translations: Object.fromEntries(entries) };
}

function amount(field: string, text: string): Usdt | ApiError {
  const parsed = parseMoney(text, 'USDT');
  if (parsed.ok) return parsed.value;
  return fail('VALIDATION_FAILED', { field, expected: 'an amount with up to 6 places' });
}
