// What a caller may set for a socket, and what holds otherwise.

import { baseUrlOf } from '../options.ts';
import { platformSocket, type SocketConstructor } from './web-socket.ts';

/** A credential, or a function that gives the current one whenever it is needed. */
export type TokenSource = string | (() => string | Promise<string>);

export type SocketOptions = {
  /** Address of the service as for the client; the socket is /ws below it. */
  readonly baseUrl?: string;
  /** Address of the socket itself, instead of baseUrl. */
  readonly url?: string;
  /** Needed for private streams; a function is asked again before the credential ends. */
  readonly token?: TokenSource;
  /** Cancel all open orders of the account when the connection is lost for longer than graceMs; the credential must be allowed to trade. */
  readonly cancelOnDisconnect?: boolean;
  readonly graceMs?: number;
  /** Language of titles and messages, as a BCP 47 tag. */
  readonly locale?: string;
  /** The platform's WebSocket unless told. */
  readonly WebSocket?: SocketConstructor;
  /** How long opening a connection, or waiting for a reply, may take. */
  readonly timeoutMs?: number;
  /** The first pause before a reconnect; it doubles up to the longest one. */
  readonly reconnectMsMin?: number;
  readonly reconnectMsMax?: number;
  /** Silence longer than this is taken for a dead connection; two and a half heartbeats unless told. */
  readonly staleAfterMs?: number;
};

export type SocketSettings = {
  readonly url: string;
  readonly token: TokenSource | null;
  readonly cancelOnDisconnect: boolean;
  readonly graceMs: number | null;
  readonly locale: string | null;
  readonly WebSocket: SocketConstructor;
  readonly timeoutMs: number;
  readonly reconnectMsMin: number;
  readonly reconnectMsMax: number;
  readonly staleAfterMs: number | null;
};

export function socketSettingsOf(options: SocketOptions): SocketSettings {
  return Object.freeze({
    url: options.url ?? `${baseUrlOf(options.baseUrl).replace(/^http/i, 'ws')}/ws`,
    token: options.token ?? null,
    cancelOnDisconnect: options.cancelOnDisconnect ?? false,
    graceMs: options.graceMs ?? null,
    locale: options.locale ?? null,
    WebSocket: options.WebSocket ?? platformSocket(),
    timeoutMs: options.timeoutMs ?? 10_000,
    reconnectMsMin: options.reconnectMsMin ?? 250,
    reconnectMsMax: options.reconnectMsMax ?? 30_000,
    staleAfterMs: options.staleAfterMs ?? null,
  });
}

/** The pause before reconnect number `attempt` (from 1): doubling, with jitter so that clients spread. */
export function reconnectPauseMs(
  settings: Pick<SocketSettings, 'reconnectMsMin' | 'reconnectMsMax'>,
  attempt: number,
  random: () => number,
): number {
  const longest = Math.min(
    settings.reconnectMsMax,
    settings.reconnectMsMin * 2 ** Math.min(attempt - 1, 30),
  );
  return Math.round(longest / 2 + (longest / 2) * random());
}
