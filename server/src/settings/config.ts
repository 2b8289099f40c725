// The environment as one frozen, validated object; the table here is also the settings reference.

import { isIP } from 'node:net';
import path from 'node:path';
import { type OperatorRole, operatorRoles, type Tier, tiers } from '@sibyl/contract';
import { parseMoney } from '@sibyl/money';
import ipaddr from 'ipaddr.js';
import { type Allowance, NO_ALLOWANCE, parseAllowance } from '../delivery/guard.ts';
import type { LogLevel } from '../gateway/log.ts';
import { definitions, type Setting } from './definitions.ts';

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly adminPort: number;
  /** Names beside this machine's own by which the operator plane may be asked. */
  readonly adminHosts: readonly string[];
  /** Where clients reach the interface; null if that is this machine. */
  readonly publicUrl: string | null;
  readonly dataDir: string;
  /** The PostgreSQL of users, keys and webhooks, with its password; null keeps them in the data folder. */
  readonly databaseUrl: string | null;
  readonly lanes: readonly ('live' | 'sandbox')[];
  /** Scales every rate limit; 0 switches them off. */
  readonly rateMultiplier: number;
  /** Whether plain orders may be answered straight on the socket, before Node's HTTP sees them. */
  readonly hasDirectOrders: boolean;
  readonly hasBots: boolean;
  /** Whether a new live lane begins with markets to show around. */
  readonly hasLiveDemo: boolean;
  /** For automation; null where there is none. */
  readonly operatorToken: string | null;
  readonly operatorTokenRole: OperatorRole;
  /** Whether every operator has to have a second factor. */
  readonly needsOperatorFactor: boolean;
  readonly logLevel: LogLevel;
  readonly trustedProxies: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Whose keys may sign requests. */
  readonly signingTiers: readonly Tier[];
  /** How many demo accounts and sandbox keys all addresses together may open an hour. */
  readonly visitors: { readonly demosPerHour: number; readonly sandboxKeysPerHour: number };
  /** How large the log of requests may become; null keeps none. */
  readonly requestLogBytes: number | null;
  /** Receivers of webhooks that may be local. */
  readonly webhookAllowance: Allowance;
  /** The service that keeps the money of the live lane; null if this server does. */
  readonly custody: { readonly name: string; readonly url: string; readonly secret: string } | null;
  /** Custodies that kept the money of live before, and no longer do. */
  readonly custodiesBefore: readonly string[];
  /** The server that mail is handed to, with its password, and whom it comes from; null where no mail is sent. */
  readonly smtp: { readonly url: string; readonly from: string } | null;
  /** Who is told by mail of what waits for operators. */
  readonly operatorMail: readonly string[];
  /** How users reach the operator: an address of mail or of a page; null if it is not set. */
  readonly operatorContact: string | null;
  /** How often each lane is reconciled by itself; 0 never. */
  readonly reconcileEveryMs: number;
  /** What one operator alone may credit by hand within a day in live; null for any amount. */
  readonly depositApprovalAbove: bigint | null;
  readonly challengeMinSec: number;
  readonly payouts: {
    /** How long a new destination of withdrawals is not usable. */
    readonly destinationDelayMs: number;
    /** Withdrawals that bring those of a day above it wait for an operator; null asks nobody. */
    readonly approvalAbove: bigint | null;
    /** Nothing below it is withdrawn. */
    readonly leastAmount: bigint;
    /** How money gets in, with {account_id} where that is to stand. */
    readonly depositInstructions: string;
  };
}

/** Settings that cannot be taken as they are, all of them; the process must not start with others in their place. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(faults: readonly string[]) {
    super(
      faults.length === 1 ? faults[0] : ['Some settings cannot be taken:', ...faults].join('\n  '),
    );
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

type SettingName = keyof typeof definitions;

export const settings: readonly Setting[] = Object.entries(definitions).map(
  ([name, definition]) => ({ name, ...definition }),
);

export function readConfig(environment: Environment, workingDir: string): Config {
  const reader = new Reader(environment);
  const config: Config = {
    port: reader.integer('PORT', 65_535),
    host: reader.checked('HOST', isHost),
    adminPort: reader.integer('ADMIN_PORT', 65_535),
    adminHosts: reader.list('ADMIN_HOSTS', isHost),
    publicUrl: reader.origin('PUBLIC_URL'),
    dataDir: path.resolve(workingDir, reader.text('DATA_DIR')),
    databaseUrl: reader.database('DATABASE_URL'),
    lanes: lanesOf(reader.choice('LANES', ['both', 'live', 'sandbox'])),
    rateMultiplier: reader.integer('RATE_MULTIPLIER', 1_000),
    hasDirectOrders: reader.choice('DIRECT_ORDERS', ['on', 'off']) === 'on',
    hasLiveDemo: reader.choice('SEED_LIVE', ['templates', 'demo']) === 'demo',
    visitors: {
      demosPerHour: reader.integer('DEMO_PER_HOUR', 100_000),
      sandboxKeysPerHour: reader.integer('SANDBOX_KEYS_PER_HOUR', 100_000),
    },
    hasBots: reader.choice('BOTS', ['on', 'off']) === 'on',
    operatorToken: reader.token('OPERATOR_TOKEN'),
    operatorTokenRole: reader.choice('OPERATOR_TOKEN_ROLE', operatorRoles),
    needsOperatorFactor: reader.choice('OPERATOR_MFA', ['optional', 'required']) === 'required',
    logLevel: reader.choice('LOG_LEVEL', LOG_LEVELS),
    requestLogBytes: reader.requestLogBytes(),
    trustedProxies: reader.list('TRUSTED_PROXIES', isProxy),
    allowedOrigins: reader.list('ALLOWED_ORIGINS', isOrigin),
    signingTiers: reader.tiers('SIGNING_TIERS'),
    webhookAllowance: reader.allowance('WEBHOOK_ALLOW'),
    custody: reader.custody(),
    custodiesBefore: reader.list('CUSTODY_WAS', isFormerCustody),
    smtp: reader.smtp(),
    operatorMail: reader.operatorMail(),
    operatorContact: reader.contact(),
    reconcileEveryMs: reader.integer('RECONCILE_EVERY_HOURS', 720) * HOUR_MS,
    depositApprovalAbove: reader.amount('DEPOSIT_APPROVAL_ABOVE'),
    challengeMinSec: reader.integer('CHALLENGE_MIN_MINUTES', 43_200) * 60,
    payouts: {
      destinationDelayMs: reader.integer('DESTINATION_DELAY_HOURS', 720) * HOUR_MS,
      approvalAbove: reader.amount('WITHDRAWAL_APPROVAL_ABOVE'),
      leastAmount: reader.amount('WITHDRAWAL_MIN') ?? 0n,
      depositInstructions: reader.text('DEPOSIT_INSTRUCTIONS'),
    },
  };
  if (config.port !== 0) reader.differ('ADMIN_PORT', 'PORT');
  reader.end();
  return Object.freeze(config);
}

const MEGABYTE = 1_048_576;
const HOUR_MS = 3_600_000;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Goes on after a setting that cannot be taken, so that whoever set them hears of all at once. */
class Reader {
  readonly #environment: Environment;
  readonly #faults: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: SettingName): string {
    const given = this.#environment[name]?.trim();
    return given === undefined || given === '' ? definitions[name].fallback : given;
  }

  integer(name: SettingName, max: number, min = 0): number {
    const text = this.text(name);
    const value = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) this.#refuse(name);
    return value;
  }

  /** In millionths; null for `none`. */
  amount(name: SettingName): bigint | null {
    const text = this.text(name);
    if (text === 'none') return null;
    const parsed = parseMoney(text, 'USDT');
    if (!parsed.ok || parsed.value < 0n) this.#refuse(name);
    return parsed.ok ? parsed.value : null;
  }

  requestLogBytes(): number | null {
    const bytes = this.integer('REQUEST_LOG_MB', 100_000, 16) * MEGABYTE;
    return this.choice('REQUEST_LOG', ['on', 'off']) === 'on' ? bytes : null;
  }

  choice<const T extends string>(name: SettingName, choices: readonly [T, ...T[]]): T {
    const text = this.text(name);
    const chosen = choices.find((one) => one === text);
    if (chosen === undefined) this.#refuse(name);
    return chosen ?? choices[0];
  }

  checked(name: SettingName, isFit: (text: string) => boolean): string {
    const text = this.text(name);
    if (!isFit(text)) this.#refuse(name);
    return text;
  }

  tiers(name: SettingName): readonly Tier[] {
    const named = this.list(name, (entry) => tiers.some((tier) => tier === entry));
    return tiers.filter((tier) => named.includes(tier));
  }

  list(name: SettingName, isFit: (entry: string) => boolean): readonly string[] {
    const entries = entriesOf(this.text(name));
    if (!entries.every(isFit)) this.#refuse(name);
    return entries;
  }

  /** The value is never repeated in the message. */
  token(name: 'OPERATOR_TOKEN' | 'CUSTODY_SECRET'): string | null {
    const text = this.text(name);
    if (text === '') return null;
    if (text.length < 24 || text.length > 256)
      this.#faults.push(`${name} must have ${definitions[name].accepts}`);
    return text;
  }

  custody(): Config['custody'] {
    const url = this.origin('CUSTODY_URL');
    const name = this.checked('CUSTODY_NAME', isCustodyName);
    const secret = this.token('CUSTODY_SECRET');
    if (url === null) return null;
    if (secret === null) this.#faults.push('CUSTODY_SECRET must be set where CUSTODY_URL is');
    return { name, url, secret: secret ?? '' };
  }

  smtp(): Config['smtp'] {
    const [url, from] = [this.text('SMTP_URL'), this.text('MAIL_FROM')];
    if (url === '') return null;
    // The value may hold a password, so it is not repeated.
    if (!isSmtp(url)) this.#faults.push(`SMTP_URL must be ${definitions.SMTP_URL.accepts}`);
    if (!isSender(from)) this.#refuse('MAIL_FROM');
    return { url, from };
  }

  operatorMail(): readonly string[] {
    const addresses = this.list('OPERATOR_MAIL', isAddress);
    const isSent = this.text('SMTP_URL') !== '';
    if (addresses.length > 0 && !isSent) this.#faults.push('OPERATOR_MAIL needs SMTP_URL');
    return addresses;
  }

  contact(): string | null {
    const text = this.checked('OPERATOR_CONTACT', isContact);
    return text === '' ? null : text;
  }

  /** Neither the value nor its password is repeated in the message. */
  database(name: 'DATABASE_URL'): string | null {
    const text = this.text(name);
    if (text === '') return null;
    if (!isDatabase(text)) this.#faults.push(`${name} must be ${definitions[name].accepts}`);
    return text;
  }

  /** Null where nothing is set. */
  origin(name: SettingName): string | null {
    const text = this.text(name);
    const origin = originOf(text);
    if (text !== '' && origin === null) this.#refuse(name);
    return origin;
  }

  allowance(name: SettingName): Allowance {
    try {
      return parseAllowance(entriesOf(this.text(name)));
    } catch {
      this.#refuse(name);
      return NO_ALLOWANCE;
    }
  }

  differ(name: SettingName, other: SettingName): void {
    if (this.text(name) !== this.text(other)) return;
    this.#faults.push(`${name}=${this.text(name)}: must be another than ${other}`);
  }

  end(): void {
    if (this.#faults.length > 0) throw new ConfigError(this.#faults);
  }

  #refuse(name: SettingName): void {
    this.#faults.push(`${name}=${this.text(name)}: must be ${definitions[name].accepts}`);
  }
}

function lanesOf(choice: 'both' | 'live' | 'sandbox'): Config['lanes'] {
  return choice === 'both' ? ['live', 'sandbox'] : [choice];
}

/** The origin; null for anything beside scheme, host and port, which would be lost. */
function originOf(text: string): string | null {
  const url = URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  return isWeb && url.href === `${url.origin}/` ? url.origin : null;
}

/**
 * With a name, and with nothing that a password which is not escaped would have put behind the host: that would be shown
 * as the name of the database.
 */
function isDatabase(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return false;
  try {
    for (const part of [url.username, url.password]) decodeURIComponent(part);
    return url.hash === '' && /^\/[^/@]+$/.test(decodeURIComponent(url.pathname));
  } catch {
    return false;
  }
}

/** Nothing behind the host: a password that is not escaped would end there. */
function isSmtp(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  try {
    for (const part of [url.username, url.password]) decodeURIComponent(part);
    return url.hash === '' && url.search === '' && /^\/?$/.test(url.pathname);
  } catch {
    return false;
  }
}

/** One address, with or without a name before it. */
function isSender(text: string): boolean {
  return /^(?:[^<>@,\r\n]+ <[^<>@,\s]+@[^<>@,\s]+>|[^<>@,\s]+@[^<>@,\s]+)$/.test(text);
}

function isContact(text: string): boolean {
  // Without what could end an attribute of the page.
  if (/["'<>\s]/.test(text)) return false;
  return text === '' || isAddress(text) || URL.parse(text)?.protocol === 'https:';
}

function isAddress(text: string): boolean {
  return /^[^<>@,\s]+@[^<>@,\s]+$/.test(text);
}

function entriesOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?$/i.test(text);
}

function isProxy(text: string): boolean {
  return isIP(text) !== 0 || ipaddr.isValidCIDR(text);
}

/** As browsers send it: scheme, host and port, nothing behind. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** What records of money have for themselves: no service may take it. */
const RESERVED = ['correction', 'local', 'operator'];

function isCustodyName(text: string): boolean {
  return /^[a-z0-9_-]{1,32}$/.test(text) && !RESERVED.includes(text);
}

/** A till may have been before a service. */
function isFormerCustody(text: string): boolean {
  return text === 'local' || isCustodyName(text);
}
