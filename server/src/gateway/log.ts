// Structured logs of fields that are allowed by name; nothing a client sent is written as it came.
import type { Writable } from 'node:stream';
import pino from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Everything a line may say beside its message. */
export interface LogFields {
  readonly request_id?: string;
  readonly operation?: string;
  readonly lane?: string;
  readonly status?: number;
  readonly code?: string;
  readonly duration_ms?: number;
  /** Public id of a key, or id of a session; neither is a credential. */
  readonly credential?: string;
  /** Who acted as the operator. */
  readonly actor?: string;
  readonly market?: string;
  readonly account?: string;
  readonly reason?: string;
  readonly error?: { readonly name: string; readonly message: string; readonly stack?: string };
}

const ALLOWED = [
  'request_id',
  'operation',
  'lane',
  'status',
  'code',
  'duration_ms',
  'credential',
  'actor',
  'market',
  'account',
  'reason',
  'error',
] as const satisfies readonly (keyof LogFields)[];

export interface Log {
  /** Asked before a line is put together. */
  isEnabled(level: LogLevel): boolean;
  write(level: Exclude<LogLevel, 'silent'>, message: string, fields?: LogFields): void;
}

export function createLog(level: LogLevel, destination?: Writable): Log {
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    destination ?? pino.destination({ sync: false }),
  );
  return {
    isEnabled: (wanted) => logger.isLevelEnabled(wanted),
    write: (wanted, message, fields = {}) =>
      logger[wanted](allowed(fields), withoutSecrets(message)),
  };
}

/** For tests and for planes that keep no log. */
export const silentLog: Log = { isEnabled: () => false, write: () => undefined };

/** An error as a log may show it: tokens that found their way into a message are cut. */
export function errorFields(error: unknown): NonNullable<LogFields['error']> {
  if (!(error instanceof Error)) return { name: 'unknown', message: withoutSecrets(String(error)) };
  const { name, message, stack } = error;
  const shown = { name, message: withoutSecrets(message) };
  return stack === undefined ? shown : { ...shown, stack: withoutSecrets(stack) };
}

/** Keys and sessions keep their public part, also where they are written as in a URL; the rest is nobody's business. */
export function withoutSecrets(text: string): string {
  const readable = text.includes('%') ? text.replace(ESCAPED_WORD, withoutEscapedSecrets) : text;
  if (!readable.includes('_')) return readable;
  return readable.replace(SECRET, '$1');
}

const SECRET = /\b((?:sk_live|sk_test|ses|oat)_[0-9A-Za-z]{16})_[0-9A-Za-z_-]+/g;
const ESCAPED_WORD = /[^\s%]*(?:%[0-9A-Fa-f]{2}[^\s%]*)+/g;
const ESCAPE = /%([2-7][0-9A-Fa-f])/g;

/** The word as it was if nothing is hidden in it, however often it was escaped. */
function withoutEscapedSecrets(word: string): string {
  let plain = word;
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(ESCAPE, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  }
  const cut = plain.replace(SECRET, '$1');
  return cut === plain ? word : cut;
}

function allowed(fields: LogFields): LogFields {
  const kept: Record<string, unknown> = {};
  for (const name of ALLOWED) {
    const value = fields[name];
    if (value === undefined) continue;
    kept[name] = typeof value === 'string' ? withoutSecrets(value) : value;
  }
  return kept;
}
