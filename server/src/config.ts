// The environment as one frozen, validated object; the table here is also the settings reference.

import path from 'node:path';
import { type Allowance, parseAllowance } from './delivery/guard.ts';
import type { LogLevel } from './gateway/log.ts';

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly adminPort: number;
  /** Where clients reach the interface; null if that is this machine. */
  readonly publicUrl: string | null;
  readonly dataDir: string;
  readonly lanes: readonly ('live' | 'sandbox')[];
  /** Scales every rate limit; 0 switches them off. */
  readonly rateMultiplier: number;
  readonly hasBots: boolean;
  /** Whether a new live lane begins with markets to show around. */
  readonly hasLiveDemo: boolean;
  /** Null makes one at the first start. */
  readonly operatorToken: string | null;
  readonly logLevel: LogLevel;
  readonly trustedProxies: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Receivers of webhooks that may be local. */
  readonly webhookAllowance: Allowance;
}

export interface Setting {
  readonly name: string;
  readonly fallback: string;
  readonly accepts: string;
  readonly meaning: string;
}

/** A setting that cannot be taken as it is; the process must not start with another in its place. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

const definitions = {
  PORT: {
    fallback: '8080',
    accepts: '0 to 65535; 0 takes a free port',
    meaning: 'Port of the interface.',
  },
  HOST: {
    fallback: '127.0.0.1',
    accepts: 'an address',
    meaning: 'Address the interface listens on. The operator plane stays on 127.0.0.1.',
  },
  ADMIN_PORT: {
    fallback: '8081',
    accepts: '0 to 65535; 0 takes a free port',
    meaning: 'Port of the operator plane.',
  },
  PUBLIC_URL: {
    fallback: '',
    accepts: 'an http or https address without a path',
    meaning:
      'Address under which clients reach the interface, for the documents that name it. This machine, unless told.',
  },
  DATA_DIR: {
    fallback: 'data',
    accepts: 'a path',
    meaning: 'Folder of journals, snapshots, read models, users and keys. Back it up as a whole.',
  },
  LANES: {
    fallback: 'both',
    accepts: 'both, live, sandbox',
    meaning: 'Which lanes this process runs. With one lane, every address leads to it.',
  },
  RATE_MULTIPLIER: {
    fallback: '1',
    accepts: '0 to 1000',
    meaning: 'Scales every rate limit; 0 switches them off, for load tests.',
  },
  BOTS: {
    fallback: 'on',
    accepts: 'on, off',
    meaning:
      'Market maker and traders in the sandbox. Fast rounds run, and its markets begin anew, in any case.',
  },
  SEED_LIVE: {
    fallback: 'templates',
    accepts: 'templates, demo',
    meaning:
      'What a new live lane begins with: templates only, or also a few markets of the house to show around.',
  },
  OPERATOR_TOKEN: {
    fallback: '',
    accepts: '24 to 256 characters',
    meaning:
      'Bearer of the operator plane. Without it, one is made at the first start and shown once.',
  },
  LOG_LEVEL: {
    fallback: 'warn',
    accepts: 'debug, info, warn, error, silent',
    meaning: 'How much is logged, as JSON lines on standard output.',
  },
  TRUSTED_PROXIES: {
    fallback: '',
    accepts: 'addresses or ranges, separated by commas',
    meaning: 'Peers whose X-Forwarded-For is believed. Nobody, unless told.',
  },
  ALLOWED_ORIGINS: {
    fallback: '',
    accepts: 'origins, separated by commas',
    meaning: 'Pages that may call more than public reads from a browser.',
  },
  WEBHOOK_ALLOW: {
    fallback: '',
    accepts: 'host:port or address ranges, separated by commas',
    meaning: 'Webhook receivers that may be local or speak plain http. Nobody, unless told.',
  },
} as const satisfies Readonly<Record<string, Omit<Setting, 'name'>>>;

type SettingName = keyof typeof definitions;

export const settings: readonly Setting[] = Object.entries(definitions).map(
  ([name, definition]) => ({ name, ...definition }),
);

export function readConfig(environment: Environment, workingDir: string): Config {
  const text = (name: SettingName): string => {
    const given = environment[name]?.trim();
    return given === undefined || given === '' ? definitions[name].fallback : given;
  };
  return Object.freeze({
    port: integer('PORT', text('PORT'), 65_535),
    host: text('HOST'),
    adminPort: integer('ADMIN_PORT', text('ADMIN_PORT'), 65_535),
    publicUrl: publicUrl(text('PUBLIC_URL')),
    dataDir: path.resolve(workingDir, text('DATA_DIR')),
    lanes: lanesOf(choice('LANES', text('LANES'), ['both', 'live', 'sandbox'])),
    rateMultiplier: integer('RATE_MULTIPLIER', text('RATE_MULTIPLIER'), 1_000),
    hasLiveDemo: choice('SEED_LIVE', text('SEED_LIVE'), ['templates', 'demo']) === 'demo',
    hasBots: choice('BOTS', text('BOTS'), ['on', 'off']) === 'on',
    operatorToken: operatorToken(text('OPERATOR_TOKEN')),
    logLevel: choice('LOG_LEVEL', text('LOG_LEVEL'), LOG_LEVELS),
    trustedProxies: list(text('TRUSTED_PROXIES')),
    allowedOrigins: list(text('ALLOWED_ORIGINS')),
    webhookAllowance: allowance(text('WEBHOOK_ALLOW')),
  });
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

function integer(name: SettingName, text: string, max: number): number {
  const value = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= max) return value;
  throw refused(name, text);
}

function choice<const T extends string>(name: SettingName, text: string, choices: readonly T[]): T {
  const chosen = choices.find((one) => one === text);
  if (chosen === undefined) throw refused(name, text);
  return chosen;
}

function lanesOf(choice: 'both' | 'live' | 'sandbox'): Config['lanes'] {
  return choice === 'both' ? ['live', 'sandbox'] : [choice];
}

function publicUrl(text: string): string | null {
  if (text === '') return null;
  const url = URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  // Anything beside scheme, host and port would be lost.
  if (!isWeb || url.href !== `${url.origin}/`) throw refused('PUBLIC_URL', text);
  return url.origin;
}

/** The value is never repeated in the message. */
function operatorToken(text: string): string | null {
  if (text === '') return null;
  if (text.length >= 24 && text.length <= 256) return text;
  throw new ConfigError(`OPERATOR_TOKEN must have ${definitions.OPERATOR_TOKEN.accepts}`);
}

function allowance(text: string): Allowance {
  try {
    return parseAllowance(list(text));
  } catch {
    throw refused('WEBHOOK_ALLOW', text);
  }
}

function list(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function refused(name: SettingName, text: string): ConfigError {
  return new ConfigError(`${name}=${text}: must be ${definitions[name].accepts}`);
}
