// The vocabulary of handlers: what the gateway hands to one, and what one hands back.
import type { IncomingHttpHeaders } from 'node:http';
import {
  type AnyOperation,
  type ErrorCode,
  errors,
  type InputOf,
  type OperationId,
  type Operations,
  type OperatorRole,
  type OutputOf,
  type Permission,
  type RateCategory,
  type Tier,
} from '@sibyl/contract';
import {
  type AccountId,
  type Actor,
  asAccountId,
  type BuilderFee,
  type CommandKey,
  type GrantTerms,
  type LaneName,
  type RejectDetail,
  type Rejection,
  type TierCaps,
} from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { formatDecimal } from '@sibyl/money';
import type { OperatorSessionRecord } from '../ports/operators.ts';
import type { Connection } from '../ports/turn-gate.ts';
import type { Credential } from './credentials.ts';
import type { SpentNonce } from './journaled-request.ts';
import type { AnnouncedLimits } from './quotas.ts';
import type { Restriction } from './restriction.ts';

export type {
  Credential,
  KeyCredential,
  OwnCredential,
  SessionCredential,
  TokenCredential,
} from './credentials.ts';
export type { LaneName };

/** Whoever asks on the operator plane: a person who has signed in, or the token for automation. */
export interface OperatorIdentity {
  /** `opr_…`, or `token`. */
  readonly operatorId: string;
  readonly name: string;
  readonly roles: readonly OperatorRole[];
  /** Null for the token. */
  readonly session: OperatorSessionRecord | null;
  /** Without the second factor that is required here: only what leads to one is open. */
  readonly mustEnrol: boolean;
  /** The password is one that the exchange made; false for the token. */
  readonly passwordIssued: boolean;
  /** When somebody else removed the second factor; null if nobody has. */
  readonly factorResetAtMs: number | null;
}

/** The place in a list after which a page begins: values of the sort key, in its order. */
export type Position = readonly (string | number)[];

export interface Page {
  /** Entries wanted; infinite where a list is wanted whole. */
  readonly limit: number;
  /** Null on the first page. */
  readonly after: Position | null;
  /** The cursor of the page that begins after this position; good for this list and caller only. */
  cursor(position: Position): string;
}

/** Everything a handler may know of the request beside its validated input. */
export interface RequestContext {
  readonly requestId: string;
  readonly operation: AnyOperation;
  /** As they were sent; whoever asks is in `credential`, never here. */
  readonly headers: IncomingHttpHeaders;
  /** Wall clock at arrival. */
  readonly receivedAtMs: number;
  readonly ip: string;
  /** What limits per address count by: the address itself, or the /64 of an IPv6 one. */
  readonly ipBucket: string;
  /** The one that the request came on. */
  readonly connection: Connection;
  /** Which of the two addresses was called; not always the lane that answers. */
  readonly address: LaneName;
  readonly laneName: LaneName;
  readonly lane: Lane;
  /** Those this process runs. */
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly credential: Credential | null;
  /** Null everywhere but on the operator plane. */
  readonly operator: OperatorIdentity | null;
  /** The caller's account in this lane; null without a credential. */
  readonly accountId: AccountId | null;
  readonly actor: Actor;
  readonly permissions: readonly Permission[];
  /** Null for sessions and strangers. */
  readonly tier: Tier | null;
  /** Ceilings of the credential in this lane; null means none. */
  readonly caps: TierCaps | null;
  /** Under which the caller acts for somebody else; null where everybody acts for themselves. */
  readonly grant: GrantTerms | null;
  /** Whether the caller may read every order of the account: under a grant, if it includes `account:read`. */
  readonly readsOrders: boolean;
  /** The app that the caller's orders are attributed to; null unless an app asks. */
  readonly builder: BuilderFee | null;
  /** What compliance forbids the caller in this lane; null if nothing. */
  readonly restrictions: readonly Restriction[] | null;
  /** What the quotas of the caller are multiplied with. */
  readonly rateMultiplier: number;
  /** Requests per minute of the caller. */
  readonly perMinute: Readonly<Record<RateCategory, number>>;
  /** Lower limits of the caller that do not hold yet, the next first. */
  readonly announced: readonly AnnouncedLimits[];
  /** How an order of this credential fills: `mid` for self_serve in the sandbox. */
  readonly execution: 'hybrid' | 'mid';
  /** Of a signed write: its nonce, which the journal keeps with the command that it becomes. */
  readonly spentNonce?: SpentNonce | null;
  /** To be put on the engine command, or on the platform write, that this request becomes. */
  readonly idempotency: CommandKey | undefined;
  /** To be called once an app has shown its secret: the request counts for it from then on. Null if it may go on. */
  countForApp(appId: string): ApiError | null;
  /** To be called before each hash of a password: the caller's address pays for it too. Null if it may go on. */
  chargeHash(): ApiError | null;
  /** Reads `cursor` and `limit` of a list's query; a bad cursor is VALIDATION_FAILED. */
  page(query: Readonly<Record<string, unknown>>): Page;
}

export interface ReplyMeta {
  readonly fill_venue?: 'amm' | 'clob' | 'hybrid';
  /** Null on the last page. */
  readonly next_cursor?: string | null;
  readonly total_count?: number | null;
}

export interface Reply<Data = unknown> {
  readonly data: Data;
  readonly meta?: ReplyMeta | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The recorded answer to an earlier request with the same Idempotency-Key. */
  readonly replayed?: boolean;
  /** Personal data was left out for this caller. */
  readonly isStripped?: boolean;
}

type Answered<Data> = Reply<Data> | ApiError;

/** A refusal may be returned or thrown; returning is cheaper. */
export type Handler<
  Op extends { readonly input: AnyOperation['input']; readonly data: AnyOperation['data'] },
> = (
  request: RequestContext,
  input: InputOf<Op>,
) => Promise<Answered<OutputOf<Op>>> | Answered<OutputOf<Op>>;

/** One handler for each operation of the public port; a module contributes some of them. */
export type Handlers = { readonly [Id in OperationId]: Handler<Operations[Id]> };

/** What the handler of the operation comes to. */
export type AnswerTo<Id extends OperationId> = Promise<Answered<OutputOf<Operations[Id]>>>;

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** The only kind of error that reaches a client: a code of the contract. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly replayed: boolean;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? errors[code].message);
    this.code = code;
    this.details = options.details;
    this.headers = options.headers;
    this.replayed = options.replayed ?? false;
  }
}

export interface ApiErrorOptions {
  readonly details?: ErrorDetails | undefined;
  readonly message?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly replayed?: boolean;
}

/** A refusal with a code of the contract: `throw fail('NOT_FOUND')` or `return fail(…)`. */
export function fail(code: ErrorCode, details?: ErrorDetails, message?: string): ApiError {
  return withoutStack(() => new ApiError(code, { details, message }));
}

/** The engine's refusal as the client sees it: the same code, bigints as decimal strings. */
export function refusal(rejection: Rejection, replayed = false): ApiError {
  const { retry_after_ms: waitMs, ...rest } = rejection.details;
  const details = wireDetails(rest);
  if (rejection.code === 'TIER_LIMIT_EXCEEDED') {
    details.limit = typeof rest.resets_at_ms === 'number' ? 'day' : 'order';
  }
  if (typeof waitMs !== 'number') {
    return withoutStack(() => new ApiError(rejection.code, { details, replayed }));
  }
  const waitSec = Math.max(1, Math.ceil(waitMs / 1000));
  details.retry_after_sec = waitSec;
  const headers = { 'retry-after': String(waitSec) };
  const what = String(details.category ?? 'operation');
  const message = `Too many calls of the ${what}. Try again in ${secondsText(waitSec)}.`;
  return withoutStack(() => new ApiError(rejection.code, { details, headers, message, replayed }));
}

/** A wait in words. */
export function secondsText(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Record<string, unknown>;
  readonly trace_id: string;
}

/** The `error` object of the envelope, also used for one item of a batch. */
export function wireError(error: ApiError, traceId: string): WireError {
  const { code, details } = error;
  const message = messageOf(error);
  return details === undefined || Object.keys(details).length === 0
    ? { code, message, trace_id: traceId }
    : { code, message, details: { ...details }, trace_id: traceId };
}

/** A sentence for people who read no further: what programs find in the details stands in it too. */
function messageOf({ code, message, details = {} }: ApiError): string {
  // Who has words of its own has said it.
  if (message !== errors[code].message) return message;
  if (code === 'AUTH_INVALID') return rejectedText(message, details);
  if (code === 'BALANCE_INSUFFICIENT') return `${message} ${shortage(details)}`;
  if (code === 'TIER_LIMIT_EXCEEDED') return aboveCap(details);
  if (code === 'DELEGATION_DAILY_CAP_EXCEEDED') return `${message}${givenAway(details)}`;
  if (details.limit === 'far_from_price') return farFromPrice(details);
  if (code === 'RISK_LIMIT_BREACH' && 'open' in details) return tooManyOpen(details);
  if (code === 'BAD_REQUEST') return unreadable(message, details);
  const { field, parameter, expected, nearest } = details;
  const place = field ?? parameter;
  if (typeof place !== 'string') return message;
  if (code === 'MISSING_FIELD') return `The field ${place} is absent.`;
  if (typeof expected !== 'string') return message;
  const advice = typeof nearest === 'string' ? `; the nearest is ${nearest}` : '';
  return `${message} ${place}: expected ${expected}${advice}.`;
}

/** Why a credential is not taken. */
export type RejectedCredential =
  | 'unknown'
  | 'expired'
  | 'revoked'
  | 'malformed'
  | 'not_enabled'
  | 'address';

/** AUTH_INVALID, which always says why. */
export function rejected(reason: RejectedCredential, hint?: string): ApiError {
  return fail('AUTH_INVALID', hint === undefined ? { reason } : { reason, hint }, hint);
}

function rejectedText(message: string, { reason }: ErrorDetails): string {
  if (reason === 'expired') return 'The credential has expired.';
  if (reason === 'address') return 'The key may not be used from this address.';
  return reason === 'revoked' ? 'The credential was revoked.' : message;
}

function shortage({ required, free, asset = 'USDT', outcome_id: outcomeId }: ErrorDetails): string {
  const kind = outcomeId === undefined ? asset : `shares of ${outcomeId}`;
  return `It takes ${required} ${kind}; ${free} are free.`;
}

function aboveCap(details: ErrorDetails): string {
  const { tier, cap, used, resets_at_ms: resetsAtMs } = details;
  const given = givenAway(details);
  if (typeof resetsAtMs !== 'number') {
    return `With tier ${tier} an order may come to ${cap} USDT at most. No wait changes that: send smaller orders.${given}`;
  }
  const resets = isoTime(resetsAtMs);
  return `With tier ${tier} the orders of a day may come to ${cap} USDT: ${used} are used, by fills and by orders that rest. What was filled counts until ${resets}.${given}`;
}

/** What caps count of a sell besides its proceeds. */
function givenAway({ given }: ErrorDetails): string {
  if (given === undefined) return '';
  return ` The sell gives away ${given} USDT against nine tenths of the price, which counts too; a session may sell.`;
}

function farFromPrice({ reference }: ErrorDetails): string {
  return `The price is too far from ${reference}, what the outcome is worth. A session or an uncapped key may send accept_price.`;
}

function tooManyOpen({ limit, open, max }: ErrorDetails): string {
  if (limit === 'subaccounts') return `You have ${open} of ${max} subaccounts: close one first.`;
  if (limit === 'subaccounts_ever') return `You have had ${open} subaccounts, which is the most.`;
  const place = limit === 'open_orders_market' ? 'in this market' : 'in all markets together';
  return `You have ${open} of ${max} open orders ${place}: cancel some first.`;
}

function unreadable(message: string, { reason, limit_bytes: bytesMax }: ErrorDetails): string {
  if (typeof reason !== 'string') return message;
  const most = typeof bytesMax === 'number' ? `; at most ${bytesMax} bytes are taken` : '';
  return `${message} Reason: ${reason}${most}.`;
}

/** The caller's account, where the contract says that there is a credential. */
export function ownAccount(request: RequestContext): AccountId {
  if (request.accountId === null) throw fail('AUTH_REQUIRED');
  return request.accountId;
}

/** Who acts, where the contract says that an operator does. */
export function actingOperator({ operator }: RequestContext): OperatorIdentity {
  if (operator === null) throw fail('AUTH_REQUIRED');
  return operator;
}

/** The account that a write is about: the caller's, or the subaccount that it names. Whether that is its own the engine knows. */
export function accountFor(request: RequestContext, subaccountId: string | undefined): AccountId {
  const own = ownAccount(request);
  return subaccountId === undefined ? own : asAccountId(subaccountId);
}

/** The same for what the engine does not look at: one that is not the caller's is not there. */
export async function knownAccount(
  request: RequestContext,
  subaccountId: string | undefined,
): Promise<AccountId> {
  const own = ownAccount(request);
  if (subaccountId === undefined) return own;
  const accountId = asAccountId(subaccountId);
  const account = await request.lane.read(({ accounts }) => accounts.get(accountId));
  const isOwn = account !== undefined && (accountId === own || account.parentId === own);
  if (!isOwn) throw fail('NOT_FOUND', { subaccount_id: subaccountId });
  return accountId;
}

/** A time as the interface gives it twice: ISO 8601 and milliseconds. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Money and shares have six places inside the engine, so every bigint detail is of that scale. */
const DETAIL_SCALE = 6;

function wireDetails(details: Readonly<Record<string, RejectDetail>>): Record<string, unknown> {
  const wire: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(details)) {
    wire[name] = typeof value === 'bigint' ? formatDecimal(value, DETAIL_SCALE) : value;
  }
  return wire;
}

/** Refusals are ordinary answers: walking the stack for each would be most of their cost. */
function withoutStack<T>(make: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
