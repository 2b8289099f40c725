// Outgoing POSTs on undici: the name is resolved here, every answer is checked, and only a checked address is dialled.
import { Resolver as DnsResolver } from 'node:dns/promises';
import { connect, isIP, isIPv4, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Client, type Dispatcher } from 'undici';
import type {
  Guard,
  Outbound,
  OutboundFailure,
  OutboundRequest,
  OutboundResult,
  Resolver,
  Target,
  WebhookOwner,
} from '../../ports/outbound.ts';

export interface DialTarget {
  /** Checked before; nothing but this address may be connected to. */
  readonly address: string;
  readonly port: number;
  /** For SNI and the check of the certificate; null for plain HTTP. */
  readonly serverName: string | null;
  readonly signal: AbortSignal;
}

export interface Dialer {
  /** Resolves once the connection, with TLS where asked for, stands. */
  dial(target: DialTarget): Promise<Socket>;
}

export interface OutboundLimits {
  readonly connectMs: number;
  /** For all of it: the name, the connection, the answer and its body. */
  readonly totalMs: number;
  readonly answerBytesMax: number;
}

export const OUTBOUND_LIMITS: OutboundLimits = {
  connectMs: 3_000,
  totalMs: 10_000,
  answerBytesMax: 16_384,
};

export interface OutboundOptions {
  readonly guard: Guard;
  readonly resolver?: Resolver;
  readonly dialer?: Dialer;
  readonly limits?: Partial<OutboundLimits>;
}

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

export class NodeOutbound implements Outbound {
  readonly #guard: Guard;
  readonly #resolver: Resolver;
  readonly #dialer: Dialer;
  readonly #limits: OutboundLimits;

  constructor(options: OutboundOptions) {
    this.#guard = options.guard;
    this.#resolver = options.resolver ?? systemResolver();
    this.#dialer = options.dialer ?? systemDialer;
    this.#limits = { ...OUTBOUND_LIMITS, ...options.limits };
  }

  async send(request: OutboundRequest): Promise<OutboundResult> {
    const startedMs = performance.now();
    const overall = new AbortController();
    const timer = setTimeout(
      () => overall.abort(new OutboundError('timeout')),
      this.#limits.totalMs,
    );
    const elapsedMs = (): number => Math.round(performance.now() - startedMs);
    try {
      const { target, address } = await this.#checked(request, overall.signal);
      const answer = await this.#post(request, target, address, overall.signal);
      return { kind: 'answered', ...answer, latencyMs: elapsedMs() };
    } catch (error) {
      return { kind: 'failed', failure: failureOf(error, overall.signal), latencyMs: elapsedMs() };
    } finally {
      clearTimeout(timer);
    }
  }

  async inspect(url: string, owner: WebhookOwner): Promise<string | null> {
    const target = this.#guard.read(url, owner);
    if ('refused' in target) return target.refused;
    const signal = AbortSignal.timeout(this.#limits.totalMs);
    // A name that leads nowhere yet may be registered; deliveries to it fail until it does.
    const addresses = await this.#addresses(target, signal).catch(() => []);
    return addresses.every((address) => this.#guard.mayDial(target, address))
      ? null
      : 'leads to an address that is not public';
  }

  /** The place to connect to; throws unless every address behind the URL may be dialled. */
  async #checked(
    { url, owner }: Pick<OutboundRequest, 'url' | 'owner'>,
    signal: AbortSignal,
  ): Promise<{ readonly target: Target; readonly address: string }> {
    const target = this.#guard.read(url, owner);
    if ('refused' in target) throw new OutboundError('forbidden');
    const addresses = await this.#addresses(target, signal);
    if (!addresses.every((address) => this.#guard.mayDial(target, address))) {
      throw new OutboundError('forbidden');
    }
    // Many hosts have no way out by IPv6, and hardly any receiver lacks IPv4.
    const address = addresses.find((candidate) => isIPv4(candidate)) ?? addresses[0];
    if (address === undefined) throw new OutboundError('unresolved');
    return { target, address };
  }

  async #addresses(target: Target, signal: AbortSignal): Promise<readonly string[]> {
    if (target.literal !== null) return [target.literal];
    const found = this.#resolver.resolve(target.host).catch(() => {
      throw new OutboundError('unresolved');
    });
    return orAborted(found, signal);
  }

  async #post(
    { headers, body }: OutboundRequest,
    target: Target,
    address: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly answerBytes: number }> {
    // A client of its own for each request: no connection outlives the check of its address.
    const client = new Client(target.url.origin, {
      connect: this.#connector(target, address, signal),
      // The overall signal ends it; a second clock that struck first would tell a receiver that hangs as a broken one.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      const answer = await client.request({
        method: 'POST',
        path: `${target.url.pathname}${target.url.search}`,
        headers,
        body,
        signal,
        reset: true,
      });
      const answerBytes = await this.#lengthOf(answer.body);
      return { status: answer.statusCode, answerBytes };
    } finally {
      await client.destroy().catch(() => {});
    }
  }

  #connector(
    target: Target,
    address: string,
    signal: AbortSignal,
  ): NonNullable<Client.Options['connect']> {
    return (_options, callback) => {
      const { limit, clear } = fairLimit(this.#limits.connectMs);
      const { port, isSecure, host } = target;
      this.#dialer
        .dial({
          address,
          port,
          serverName: isSecure ? host : null,
          signal: AbortSignal.any([signal, limit]),
        })
        .finally(clear)
        .then(
          (socket) => callback(null, socket),
          (error: unknown) => {
            callback(limit.aborted ? new OutboundError('timeout') : asError(error), null);
          },
        );
    };
  }

  /** Once the status is there, whatever the body does changes nothing: it is counted, cut off and forgotten. */
  async #lengthOf(body: Dispatcher.ResponseData['body']): Promise<number> {
    let length = 0;
    try {
      for await (const part of body) {
        length += part.length;
        if (length >= this.#limits.answerBytesMax) break;
      }
    } catch {
      return length;
    }
    return Math.min(length, this.#limits.answerBytesMax);
  }
}

class OutboundError extends Error {
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure) {
    super(failure);
    this.failure = failure;
  }
}

/** c-ares, not the thread pool: a slow name server must not hold up everything else that waits for a thread. */
function systemResolver(): Resolver {
  const dns = new DnsResolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  return {
    async resolve(host) {
      if (/(^|\.)localhost$/.test(host)) return ['127.0.0.1'];
      const [four, six] = await Promise.all([
        dns.resolve4(host).catch(noneOrFail),
        dns.resolve6(host).catch(noneOrFail),
      ]);
      return [...four, ...six];
    },
  };
}

const systemDialer: Dialer = {
  async dial(target) {
    const socket = connect({ host: target.address, port: target.port, autoSelectFamily: false });
    await established(socket, 'connect', target.signal, 'connect');
    if (target.serverName === null) return socket;
    const secured = connectTls({
      socket,
      host: target.serverName,
      servername: isIP(target.serverName) === 0 ? target.serverName : '',
      ALPNProtocols: ['http/1.1'],
    });
    await established(secured, 'secureConnect', target.signal, 'tls');
    return secured;
  },
};

function established(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: DialTarget['signal'],
  failure: OutboundFailure,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      socket.destroy();
      reject(new OutboundError('timeout'));
    };
    const fail = (): void => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      reject(new OutboundError(failure));
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', fail);
    socket.once('close', fail);
    socket.once(event, () => {
      signal.removeEventListener('abort', abort);
      socket.off('error', fail);
      socket.off('close', fail);
      resolve();
    });
  });
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new OutboundError('timeout'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** No answer of one family is an answer; a name server that fails is none. */
function noneOrFail(error: unknown): string[] {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  if (code === 'ENODATA' || code === 'ENOTFOUND') return [];
  throw error;
}

function failureOf(error: unknown, overall: AbortSignal): OutboundFailure {
  if (overall.aborted) return 'timeout';
  return error instanceof OutboundError ? error.failure : 'broken';
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * Aborts after so long. A thread that was busy meanwhile first takes what has arrived: a connection that was there in time is
 * not the receiver's failure.
 */
function fairLimit(ms: number): { readonly limit: AbortSignal; readonly clear: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => setImmediate(() => controller.abort()), ms);
  return { limit: controller.signal, clear: () => clearTimeout(timer) };
}
