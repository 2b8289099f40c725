// Templates, and markets made from them.
import {
  type OperationInput,
  type OperationOutput,
  type Operations,
  shownTextFault,
  type Template,
} from '@sibyl/contract';
import {
  type AccountId,
  asTemplateId,
  type CreateMarket,
  isExcluded,
  type MarketId,
  type ParamValue,
  previewMarket,
  type Rejection,
  type State,
} from '@sibyl/engine';
import {
  ApiError,
  fail,
  type Handler,
  ownAccount,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { submit } from '../../handling/submit.ts';
import type { Turns } from '../../handling/turns.ts';
import { amountText } from '../../wire/amounts.ts';
import { type AnswerStore, answerFirst, isAnswered } from '../../wire/first-answer.ts';
import { type Histories, historyOf } from '../../wire/histories.ts';
import { marketView, previewView, withDayVolumes } from '../../wire/market-view.ts';
import { isRefusal, wireRefusal } from '../../wire/refusals.ts';
import { templateView, versionKey } from '../../wire/template-view.ts';
import { selectTemplates } from './queries.ts';

export interface ComposerParts extends AnswerStore {
  readonly histories: Histories;
  /** By account: who excludes himself and makes a market at once does one after the other. */
  readonly exclusionTurns: Turns;
}

interface ComposerHandlers {
  readonly listTemplates: Handler<Operations['listTemplates']>;
  readonly createMarket: Handler<Operations['createMarket']>;
}

type CreatedMarket = OperationOutput<'createMarket'>;
type MarketInput = OperationInput<'createMarket'>['body'];
type Published = ReadonlyMap<string, number>;

export function composerHandlers(parts: ComposerParts): ComposerHandlers {
  return {
    listTemplates: (request, { query }) => listTemplates(parts, request, query),
    createMarket: async (request, { query, body }) =>
      uncounted(request) ??
      unfitWords(body) ??
      (query.dry_run === true ? dryRun(parts, request, body) : createMarket(parts, request, body)),
  };
}

/** The deposit of a market is not counted by the daily cap of an app, so whoever set one is not spent past it. */
function uncounted({ credential, grant }: RequestContext): ApiError | null {
  if (credential?.kind !== 'token' || grant === null || grant.dayMax === null) return null;
  const message =
    'The user has set a daily cap, which does not count the deposit of a market: under it an app makes none.';
  return fail('SCOPE_MISSING', { required: 'markets:create' }, message);
}

async function listTemplates(
  { histories }: ComposerParts,
  request: RequestContext,
  query: OperationInput<'listTemplates'>['query'],
): Promise<Reply<Template[]>> {
  const page = request.page(query);
  const published = await historyOf(histories, request.laneName).published();
  const found = await request.lane.read((state) => {
    const { shown, next, total } = selectTemplates(state, query, page);
    const data = shown.map((template) =>
      templateView(template, state.parameters, published.get(versionKey(template)) ?? null),
    );
    return { data, next, total };
  });
  const { data, next, total } = found;
  const cursor = next === null ? null : page.cursor(next);
  return { data, meta: { next_cursor: cursor, total_count: total } };
}

/** Words that nobody could read as they are. Judged here and not by the engine, which must go on taking what it took. */
function unfitWords({ params, creator_metadata: metadata }: MarketInput): ApiError | null {
  const title = shownTextFault(metadata?.display_title ?? '');
  if (title !== null) {
    const field = 'creator_metadata.display_title';
    return fail('VALIDATION_FAILED', { field, expected: title }, `${field} must be ${title}.`);
  }
  for (const [param, value] of Object.entries(params)) {
    const expected = typeof value === 'string' ? shownTextFault(value) : null;
    if (expected === null) continue;
    const message = `The parameter ${param} must be ${expected}.`;
    return fail('MARKET_TEMPLATE_PARAM_INVALID', { field: `params.${param}`, expected }, message);
  }
  return null;
}

/**
 * Whoever has excluded himself stakes nothing in new markets. Judged here and not by the engine, which must go on taking what
 * it took; what was made before is told again.
 */
function exclusionOf(request: RequestContext): Promise<ApiError | null> {
  const { lane, idempotency, receivedAtMs } = request;
  const accountId = ownAccount(request);
  return lane.read((state) => {
    const family = state.accounts.get(accountId)?.family;
    const isRepeated = idempotency !== undefined && isAnswered(state, idempotency, receivedAtMs);
    const nowMs = Math.max(state.nowMs, receivedAtMs);
    if (family === undefined || isRepeated || !isExcluded(family, nowMs)) return null;
    const untilMs = family.limits?.excludedUntilMs ?? 0;
    const details = { rule_id: 'self_exclusion', lifted_by: 'time', until_ms: untilMs };
    return wireRefusal({ code: 'COMPLIANCE_GATE_BLOCKED', details });
  });
}

async function createMarket(
  parts: ComposerParts,
  request: RequestContext,
  input: MarketInput,
): Promise<Reply<CreatedMarket> | ApiError> {
  const body = createCommand(ownAccount(request), input);
  const { lane, receivedAtMs } = request;
  const outcome = await parts.exclusionTurns.take(
    body.accountId,
    async () => (await exclusionOf(request)) ?? submit(request, body),
  );
  if (outcome instanceof ApiError) return outcome;
  const { answer, replayed } = outcome;
  if (!answer.ok) return refusedCreate(answer.rejection, replayed);
  if (answer.result.kind !== 'market') throw new Error('a create was answered by something else');
  const { marketId, existed } = answer.result;
  const history = historyOf(parts.histories, request.laneName);
  return answerFirst(parts, lane, request, outcome, async () => {
    const published = await history.published();
    const made = await lane.read((state) => existing(state, marketId, published));
    const market = await withDayVolumes(made.market, history, receivedAtMs);
    return { data: { market, template: made.template, created: !existed }, replayed };
  });
}

async function dryRun(
  { histories }: ComposerParts,
  request: RequestContext,
  input: MarketInput,
): Promise<Reply<CreatedMarket> | ApiError> {
  const excluded = await exclusionOf(request);
  if (excluded !== null) return excluded;
  const command = createCommand(ownAccount(request), input);
  const published = await historyOf(histories, request.laneName).published();
  return request.lane.read((state) => previewed(state, request, command, published));
}

function previewed(
  state: State,
  request: RequestContext,
  command: CreateMarket,
  published: Published,
): Reply<CreatedMarket> | ApiError {
  if (state.readOnly) return fail('READ_ONLY_MODE');
  const preview = previewMarket(state, request.actor, command);
  if (isRefusal(preview)) return refusedCreate(preview);
  const free = state.ledger.balance(state.accounts.get(command.accountId)!.free);
  const deposit = preview.existed ? 0n : preview.deposit;
  const cost = { deposit: amountText(deposit), balance_free_after: amountText(free - deposit) };
  if (preview.existed) {
    return {
      data: { ...existing(state, preview.marketId, published), created: false, preview: cost },
    };
  }
  const template = state.templates.get(command.templateId)!.at(-1)!;
  const market = previewView(template, preview, {
    params: command.params,
    creatorId: command.accountId,
    nowMs: state.nowMs,
  });
  const publishedAtMs = published.get(versionKey(template)) ?? null;
  const view = templateView(template, state.parameters, publishedAtMs);
  return { data: { market, template: view, created: false, preview: cost } };
}

/** A template that is not for accounts has no market yet that could wait for anything. */
function refusedCreate(rejection: Rejection, replayed = false): ApiError {
  const refused = wireRefusal(rejection, replayed);
  if (refused.code !== 'MARKET_NOT_APPROVED') return refused;
  const message =
    'Only the exchange creates markets of this template. Use a template with market_type creator and a min_creator_deposit above 0.';
  return new ApiError(refused.code, { details: refused.details, message, replayed });
}

function existing(state: State, marketId: MarketId, published: Published) {
  const market = state.markets.get(marketId)!;
  const publishedAtMs = published.get(versionKey(market.template)) ?? null;
  return {
    market: marketView(state, market),
    template: templateView(market.template, state.parameters, publishedAtMs),
  };
}

function createCommand(accountId: AccountId, input: MarketInput): CreateMarket {
  const { creator_metadata: metadata } = input;
  return {
    type: 'create_market',
    accountId,
    templateId: asTemplateId(input.template_id),
    // Values of other kinds are the engine's to refuse: it knows the template.
    params: input.params as Readonly<Record<string, ParamValue>>,
    displayTitle: metadata?.display_title ?? null,
    displayImageUrl: metadata?.display_image_url ?? null,
  };
}
