// Names of streams: base, base:market_id or base:market_id:outcome_id, and who may listen to each.

import { type TString, Type } from 'typebox';
import { idKinds } from '../ids.ts';
import type { Channel } from './define.ts';

/** The whole of it, one market, or one outcome of a market. */
export type StreamForm = 'base' | 'market' | 'outcome';

export type StreamBase = Exclude<Channel, 'session' | 'broadcast'>;

export type StreamDefinition = {
  readonly visibility: 'public' | 'authenticated' | 'private';
  readonly forms: readonly StreamForm[];
  /** The message that tells the state when one subscribes; null where there is no state to tell. */
  readonly snapshot: string | null;
  readonly description: string;
};

const byOutcome: readonly StreamForm[] = Object.freeze(['base', 'market', 'outcome']);
const byMarket: readonly StreamForm[] = Object.freeze(['base', 'market']);
const whole: readonly StreamForm[] = Object.freeze(['base']);

export const streams: Readonly<Record<StreamBase, StreamDefinition>> = Object.freeze({
  ticker: define('public', byOutcome, 'ticker', 'Prices, the public tape, candles, open interest.'),
  orderbook: define('public', byOutcome, 'orderbook', 'The book: a snapshot, then its changes.'),
  fast_tick: define('public', byMarket, 'fast_tick', 'Fast rounds: reference price and phases.'),
  markets_snapshot: define(
    'public',
    byMarket,
    'markets_snapshot',
    'All markets, then what becomes of them.',
  ),
  signals: define('authenticated', byMarket, null, 'What is unusual in the markets right now.'),
  account: define('private', whole, 'account', 'Your account: orders, balance, positions.'),
  trade_executed: define('private', whole, null, 'Your fills.'),
  deposit: define('private', whole, null, 'Money that comes in or goes out.'),
  rfq: define('private', whole, null, 'Requests for quotes that concern you.'),
});

export type StreamName = {
  readonly base: StreamBase;
  readonly marketId: string | null;
  readonly outcomeId: string | null;
};

const marketPattern = idKinds.market.pattern.replace(/^\^|\$$/g, '');
const namePattern = `^[a-z_]{1,32}(:${marketPattern}(:[a-z0-9_-]{1,64})?)?$`;
const nameForm = new RegExp(namePattern);

/** A name as it stands in frames. */
export const streamNameSchema: TString = Type.String({
  title: 'StreamName',
  pattern: namePattern,
  description: 'Stream, or stream:market_id, or stream:market_id:outcome_id.',
});

/** The parts of a name; null for what is no name, or a form that the stream does not have. */
export function parseStreamName(text: string): StreamName | null {
  if (!nameForm.test(text)) return null;
  const [base = '', marketId = null, outcomeId = null] = text.split(':');
  if (!isStreamBase(base)) return null;
  const form = outcomeId !== null ? 'outcome' : marketId !== null ? 'market' : 'base';
  return streams[base].forms.includes(form) ? { base, marketId, outcomeId } : null;
}

const formSuffixes: Readonly<Record<StreamForm, string>> = {
  base: '',
  market: ':{market_id}',
  outcome: ':{market_id}:{outcome_id}',
};

/** Every form of name that the stream has, with braces where an id belongs. */
export function streamNames(base: StreamBase): readonly string[] {
  return streams[base].forms.map((form) => `${base}${formSuffixes[form]}`);
}

/** What a name that is none could have been: the forms of the stream that it names, else all streams. */
export function nearestStreamNames(text: string): readonly string[] {
  const [base = ''] = text.split(':', 1);
  return isStreamBase(base) ? streamNames(base) : Object.keys(streams);
}

export function streamName(base: StreamBase, marketId?: string, outcomeId?: string): string {
  return [base, marketId, outcomeId].filter((part) => part !== undefined).join(':');
}

function isStreamBase(text: string): text is StreamBase {
  return Object.hasOwn(streams, text);
}

function define(
  visibility: StreamDefinition['visibility'],
  forms: readonly StreamForm[],
  snapshot: string | null,
  description: string,
): StreamDefinition {
  return Object.freeze({ visibility, forms, snapshot, description });
}
