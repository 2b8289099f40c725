// What a caller may set: once for a client, and again for a single call.

import type { Limiter } from './limiter.ts';
import type { SigningCredential } from './signing.ts';

export type ClientOptions = {
  /** Address of the service without a trailing slash; the sandbox lives under /sandbox. */
  readonly baseUrl?: string;
  /** An API key or a session token, sent as bearer; without one only public calls work. */
  readonly token?: string;
  /** Signs every request instead of sending a bearer, for keys that signing is switched on for. */
  readonly signing?: SigningCredential;
  /** How long one attempt may take. */
  readonly timeoutMs?: number;
  /** How often a repeatable request is sent again after the first attempt. */
  readonly retriesMax?: number;
  /** A longer wait than this is not sat out: the error is thrown instead, with its retryAfterMs. */
  readonly retryWaitMsMax?: number;
  /** Replaces the platform's fetch, for proxies and tests. */
  readonly fetch?: typeof fetch;
  /** Waits where the service would refuse; clients that share a key should share it. */
  readonly limiter?: Limiter;
};

export type CallOptions = {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly retriesMax?: number;
  /** Your own key for a write, to repeat it safely across restarts of your program. */
  readonly idempotencyKey?: string;
  /** Sees the metadata of the answer: request id, limits, venue, whether it was a replay. */
  readonly onAnswer?: (meta: AnswerMeta) => void;
};

export type AnswerMeta = {
  readonly requestId: string;
  readonly status: number;
  /** Where the order filled; only on placements that filled. */
  readonly fillVenue: string | null;
  readonly isReplay: boolean;
  readonly attempts: number;
  readonly rateLimit: RateLimit;
};

export type RateLimit = {
  /** The bucket that the numbers speak of, for example trade. */
  readonly category: string | null;
  readonly limit: number | null;
  readonly remaining: number | null;
  /** UNIX seconds at which the window resets. */
  readonly resetAtSec: number | null;
};

export type Settings = Required<Omit<ClientOptions, 'token' | 'limiter' | 'signing'>> & {
  readonly token: string | null;
  readonly signing: SigningCredential | null;
  readonly subaccountId: string | null;
  readonly limiter: Limiter | null;
};

export const defaultBaseUrl = 'http://localhost:8080';

export function settingsOf(options: ClientOptions): Settings {
  return Object.freeze({
    baseUrl: baseUrlOf(options.baseUrl),
    token: options.token ?? null,
    signing: options.signing ?? null,
    subaccountId: null,
    timeoutMs: options.timeoutMs ?? 10_000,
    retriesMax: options.retriesMax ?? 3,
    retryWaitMsMax: options.retryWaitMsMax ?? 30_000,
    limiter: options.limiter ?? null,
    // Called through a wrapper, because browsers refuse a fetch that was taken off its window.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  });
}

/** Without the slash at its end. What is no address is said at once, and not as a connection that was lost. */
export function baseUrlOf(text: string = defaultBaseUrl): string {
  const isAddress = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
  if (!isAddress) {
    throw new TypeError(
      `baseUrl must begin with http:// or https://, like ${defaultBaseUrl}; it is ${JSON.stringify(text)}`,
    );
  }
  return text.replace(/\/+$/, '');
}
