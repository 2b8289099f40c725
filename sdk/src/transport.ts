// Sends one request of any operation: address, headers, timeout, retries, and the reading of the answer.

import { type Envelope, readEnvelope, readRateLimit } from './answer.ts';
import { SibylConnectionError, SibylError, SibylTimeoutError } from './errors.ts';
import type { AnswerMeta, CallOptions, Settings } from './options.ts';
import { pause } from './pause.ts';
import { nextAttemptInMs } from './retry.ts';
import { signRequest } from './signing.ts';

export type Request = {
  /** Its name, by which a limiter knows it; without one it never waits. */
  readonly operation?: string;
  readonly method: string;
  /** With every parameter already in place and escaped. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Carries an Idempotency-Key. */
  readonly keyed: boolean;
  /** May be sent again although the first attempt might have been carried out. */
  readonly repeatable: boolean;
};

export class Transport {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async send(request: Request, options: CallOptions = {}): Promise<Envelope> {
    const key = request.keyed ? (options.idempotencyKey ?? crypto.randomUUID()) : null;
    const init = this.#init(request, key);
    const url = this.#settings.baseUrl + request.path + queryString(request.query);
    for (let attempts = 1; ; attempts++) {
      await this.#turn(request, options);
      const sent = await this.#signed(url, request, init);
      const failure = await this.#attempt(url, sent, { request, options, attempts, key });
      if ('data' in failure) return failure;
      const waitMs = nextAttemptInMs(
        {
          failure,
          attempts,
          repeatable: request.repeatable,
          retriesMax: options.retriesMax ?? this.#settings.retriesMax,
          retryWaitMsMax: this.#settings.retryWaitMsMax,
        },
        Math.random,
      );
      if (waitMs === null) throw failure;
      await pause(waitMs, options.signal);
    }
  }

  async #turn(request: Request, options: CallOptions): Promise<void> {
    const { limiter } = this.#settings;
    if (limiter === null || request.operation === undefined) return;
    await limiter.turn(request.operation, options.signal);
  }

  #init(request: Request, key: string | null): RequestInit {
    const headers: Record<string, string> = { accept: 'application/json' };
    const { token, signing } = this.#settings;
    if (token !== null && signing === null) headers.authorization = `Bearer ${token}`;
    if (key !== null) headers['idempotency-key'] = key;
    if (request.body === undefined) return { method: request.method, headers };
    headers['content-type'] = 'application/json';
    return { method: request.method, headers, body: JSON.stringify(request.body) };
  }

  /** Each attempt is signed anew: a nonce is good for one. */
  async #signed(url: string, { method }: Request, init: RequestInit): Promise<RequestInit> {
    const { signing } = this.#settings;
    if (signing === null) return init;
    const { pathname, search } = new URL(url);
    const body = typeof init.body === 'string' ? init.body : '';
    const path = `${pathname}${search}`;
    const { headers } = await signRequest(signing, { method, path, body });
    const sent = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    // Variant B has no nonce, so the service wants a key on every write.
    if (signing.variant === 'B' && method !== 'GET' && !sent.has('idempotency-key'))
      sent.set('idempotency-key', crypto.randomUUID());
    return { ...init, headers: sent };
  }

  async #attempt(
    url: string,
    init: RequestInit,
    call: {
      readonly request: Request;
      readonly options: CallOptions;
      readonly attempts: number;
      readonly key: string | null;
    },
  ): Promise<Envelope | SibylError | SibylConnectionError> {
    const { request, options, attempts, key } = call;
    options.signal?.throwIfAborted();
    const timeoutMs = options.timeoutMs ?? this.#settings.timeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal =
      options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
    try {
      const response = await this.#settings.fetch(url, { ...init, signal, redirect: 'error' });
      const answer = readEnvelope(response, await response.text());
      const meta = metaOf(response, answer, attempts);
      if (request.operation !== undefined)
        this.#settings.limiter?.learn(request.operation, meta.rateLimit, retryAfterOf(answer));
      options.onAnswer?.(meta);
      return answer;
    } catch (cause) {
      // The caller's own abort is not a failure of the service: it passes through untouched.
      if (options.signal?.aborted === true) throw cause;
      if (timeout.aborted) {
        return new SibylTimeoutError(`no answer within ${timeoutMs} ms`, key, cause);
      }
      return new SibylConnectionError(`no answer from ${new URL(url).origin}`, key, cause);
    }
  }
}

/** Puts path parameters in place, escaped, so that no value can reach another path. */
export function fillPath(template: string, values: readonly string[]): string {
  let index = 0;
  return template.replace(/\{[a-z_]+\}/g, (name) => {
    const value = values[index++];
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new TypeError(`${name} must be a non-empty string`);
    }
    return encodeURIComponent(value);
  });
}

function queryString(query: Readonly<Record<string, unknown>> | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

function metaOf(response: Response, answer: Envelope | SibylError, attempts: number): AnswerMeta {
  const venue = answer instanceof SibylError ? undefined : answer.meta.fill_venue;
  return {
    requestId: response.headers.get('x-request-id') ?? '',
    status: response.status,
    fillVenue: typeof venue === 'string' ? venue : null,
    isReplay: response.headers.get('idempotency-replayed') === 'true',
    attempts,
    rateLimit: readRateLimit(response.headers),
  };
}

/** How long a refused request must wait; null if it was not refused for its number. */
function retryAfterOf(answer: Envelope | SibylError): number | null {
  return answer instanceof SibylError && answer.status === 429 ? answer.retryAfterMs : null;
}
