// Structured logs of fields that are allowed by name; nothing a client sent is written as it came.
import type { Writable } from 'node:stream';
import pino from 'pino';
import { withoutSecrets } from './without-secrets.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Everything a line may say beside its message. */
export interface LogFields {
  readonly request_id?: string;
  readonly operation?: string;
  /** Name of an alarm, by which alerts are made. */
  readonly alarm?: string;
  /** Name of a recurring job. */
  readonly job?: string;
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
  /** What else was said of the act: amounts, tiers, modes. */
  readonly what?: string;
  readonly reason?: string;
  readonly error?: { readonly name: string; readonly message: string; readonly stack?: string };
}

const ALLOWED = [
  'request_id',
  'operation',
  'alarm',
  'job',
  'lane',
  'status',
  'code',
  'duration_ms',
  'credential',
  'actor',
  'market',
  'account',
  'what',
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

function allowed(fields: LogFields): LogFields {
  const kept: Record<string, unknown> = {};
  for (const name of ALLOWED) {
    const value = fields[name];
    if (value === undefined) continue;
    kept[name] = typeof value === 'string' ? withoutSecrets(value) : value;
  }
  return kept;
}
