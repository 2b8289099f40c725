// What a page asks for first, answered with its document: opening a page then costs its reader none of these reads.
import type { AnyOperation, Market } from '@sibyl/contract';
import { type Lane, withPatience } from '@sibyl/lane';
import { chargeForAnswers } from '../gateway/charging.ts';
import { requestContext } from '../gateway/context.ts';
import { earlyList, earlyMarket } from '../gateway/early-page.ts';
import { successEnvelope } from '../gateway/envelope.ts';
import type { Incoming } from '../gateway/exchange.ts';
import type { Admission, Services } from '../gateway/gate.ts';
import { answerSchemaOf, writerOf } from '../gateway/serialization.ts';
import { ApiError } from '../handling/handler.ts';
import { readerOf } from '../wire/reader.ts';
import type { HandlerTable, Operations } from './bind.ts';

interface FirstCall {
  readonly id: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
}

/** What goes into the document of a page. */
export interface FirstView {
  /** Answers by what each answers, as JSON. */
  readonly answers: string;
  /** Titles and prices as HTML. */
  readonly shown: string;
}

const NOTHING: FirstView = { answers: '', shown: '' };

interface FirstAnswer {
  /** The path with its query, its names in order. */
  readonly asked: string;
  readonly data: unknown;
  /** The whole answer, as it would have been sent. */
  readonly text: string;
}

/** The list as nobody has filtered it, or a market. */
const WITH_ANSWERS = /^(?:\/sandbox)?(?:\/|\/m\/(m_[0-9a-f]{12,16}))?$/;

const EVERYWHERE: readonly FirstCall[] = [
  { id: 'getHealth' },
  { id: 'listTemplates', query: { limit: 500 } },
];

const LIST: readonly FirstCall[] = [
  { id: 'listMarkets', query: { limit: 48, history: '1d', sort: 'volume', state: 'active' } },
  {
    id: 'listMarkets',
    query: { market_type: 'fast', state: 'active', sort: 'closes_at', limit: 6 },
  },
];

/** A chart draws no more lines. */
const LINES_MAX = 6;

/** Of a market whose record is known: its tape, and the bars that its chart begins with. */
function callsOf(market: Market): readonly FirstCall[] {
  const params = { market_id: market.market_id };
  const isFast = market.market_type === 'fast';
  const bars = isFast ? { interval: '1m', limit: 61 } : { interval: '1h', limit: 169 };
  // One that is over is drawn whole, by bars of its own length.
  const isOver = market.status === 'resolved' || market.status === 'cancelled';
  const dearest = market.outcomes.toSorted((a, b) => Number(b.price) - Number(a.price));
  const drawn = isOver ? [] : dearest.slice(0, LINES_MAX);
  const rounds = { market_type: 'fast', sort: 'created_at', limit: 50 };
  return [
    { id: 'listTrades', params, query: { limit: 16 } },
    ...drawn.map(({ id }) => ({
      id: 'listCandles',
      params,
      query: { outcome_id: id, ...bars },
    })),
    ...(isFast
      ? ['active', 'resolved'].map((state) => ({ id: 'listMarkets', query: { ...rounds, state } }))
      : []),
  ];
}

export class FirstAnswers {
  readonly #services: Services;
  readonly #operations: Operations;
  readonly #handlers: HandlerTable;

  constructor(services: Services, operations: Operations, handlers: HandlerTable) {
    this.#services = services;
    this.#operations = operations;
    this.#handlers = handlers;
  }

  /** Empty where a page begins with nothing, or its address has had its share of answers. */
  async of(request: Incoming, admission: Admission): Promise<FirstView> {
    const services = this.#services;
    const [path = '', search] = request.url.split('?');
    const found = WITH_ANSWERS.exec(path);
    const lane = services.lanes[admission.address];
    if (found === null || lane === undefined || services.operatorGuard !== null) return NOTHING;
    if (!chargeForAnswers(services, admission)) return NOTHING;
    const all = (calls: readonly FirstCall[]) =>
      Promise.all(calls.map((call) => this.#answer(request, admission, lane, call)));
    const reader = readerOf(request.headers);
    const [, marketId] = found;
    if (marketId === undefined) {
      const [everywhere, list] = await Promise.all([
        all(EVERYWHERE),
        all(isFiltered(search) ? [] : LIST),
      ]);
      const base = path.startsWith('/sandbox') ? '/sandbox' : '';
      const markets = list[0]?.data as readonly Market[] | undefined;
      const shown = markets === undefined ? '' : earlyList(markets, base, reader);
      return { answers: joined([...everywhere, ...list]), shown };
    }
    const asked = { id: 'getMarket', params: { market_id: marketId } };
    const first = await all([asked, ...EVERYWHERE]);
    const known = first[0]?.data as Market | undefined;
    if (known === undefined) return { answers: joined(first), shown: '' };
    const rest = await all(callsOf(known));
    return { answers: joined([...first, ...rest]), shown: earlyMarket(known, reader) };
  }

  /** Null for what would be refused; the page then asks for it and is told so. */
  async #answer(
    request: Incoming,
    admission: Admission,
    lane: Lane,
    { id, params = {}, query = {} }: FirstCall,
  ): Promise<FirstAnswer | null> {
    const services = this.#services;
    const operation = this.#operations[id];
    const handler = this.#handlers[id];
    if (operation === undefined || handler === undefined) return null;
    if ((services.maintenance?.refusalOf(operation) ?? null) !== null) return null;
    const route = { operation, address: admission.address };
    const context = requestContext(services, request, { ...admission, route }, lane, undefined);
    // The calls are this file's own: they are what the schemas of the operations want.
    const reply = handler(context, { params, query, body: undefined } as never);
    // A lane that hangs holds up no page.
    const told = await withPatience(services.clock, Promise.resolve(reply));
    if (told === null || told instanceof ApiError) return null;
    const stamp = { requestId: request.id, nowMs: services.clock.wallMs() };
    const envelope = successEnvelope(told, told.data, operation, stamp);
    const text = writerOf(answerSchemaOf(operation))(envelope);
    return { asked: askedAt(operation, params, query), data: told.data, text };
  }
}

/** Whoever comes by the link of somebody who invites sees the list as everybody does. */
function isFiltered(search = ''): boolean {
  return [...new URLSearchParams(search).keys()].some((name) => name !== 'ref');
}

function askedAt(
  { path }: AnyOperation,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string | number>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  search.sort();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_place, name: string) => params[name] ?? '');
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function joined(answers: readonly (FirstAnswer | null)[]): string {
  const entries = answers.flatMap((answer) =>
    answer === null ? [] : [`${JSON.stringify(answer.asked)}:${answer.text}`],
  );
  return `{${entries.join(',')}}`;
}
