// Which server a command speaks to, in which lane, and as whom.

import { createClient, type SibylClient, SibylConnectionError } from '@sibyl/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { noAnswerAdvice } from '../no-answer.ts';
import { type Advise, run, Unusable, type Work } from '../run.ts';
import { savedCredential } from './credentials.ts';

export interface ServerOptions {
  readonly url: string;
  readonly sandbox?: boolean;
  readonly live?: boolean;
  readonly json?: boolean;
}

/** What every command for account holders understands. */
export function withServer(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'the server')
        .env('SIBYL_URL')
        .default('http://127.0.0.1:8080')
        .argParser(serverUrl),
    )
    .addOption(new Option('--sandbox', 'in the sandbox, with play money').conflicts('live'))
    .option('--live', 'with real money')
    .option('--json', 'JSON for programs instead of words');
}

/** Examples at the end of a help text. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\nExamples:\n${examples.map((one) => `  ${one}\n`).join('')}`,
  );
}

export interface Connection {
  readonly baseUrl: string;
  /** Null where nobody is signed in. */
  readonly token: string | null;
}

/** SIBYL_TOKEN goes before whoever is signed in; the lane is the one that was signed in to, unless told. */
export function connectionOf(options: ServerOptions): Connection {
  const saved = savedCredential(options.url);
  const token = process.env.SIBYL_TOKEN?.trim() || saved?.token || null;
  const isSandbox =
    options.sandbox === true || (options.live !== true && saved?.isSandbox === true);
  const isThere = options.url.endsWith('/sandbox');
  return { baseUrl: isSandbox && !isThere ? `${options.url}/sandbox` : options.url, token };
}

/** For what everybody may read. */
export function visitorOf(options: ServerOptions): SibylClient {
  const { baseUrl, token } = connectionOf(options);
  return createClient(token === null ? { baseUrl } : { baseUrl, token });
}

/** For what needs somebody. */
export function holderOf(options: ServerOptions): SibylClient {
  const { baseUrl, token } = connectionOf(options);
  if (token !== null) return createClient({ baseUrl, token });
  throw new Unusable(
    'nobody is signed in: sibyl login EMAIL, or sibyl sandbox key for a key of play money, or set SIBYL_TOKEN',
  );
}

/** Runs the work of a command for account holders, with what to do where it was refused or not answered. */
export async function serve(options: ServerOptions, work: Work): Promise<void> {
  await run(options.json === true, work, adviceOn);
}

const adviceOn: Advise = (error) => {
  if (error instanceof SibylConnectionError) return noAnswerAdvice(error, 'SIBYL_URL');
  const { code, retryAfterMs, details } = error;
  switch (code) {
    case 'AUTH_INVALID':
    case 'AUTH_REQUIRED':
    case 'TOKEN_EXPIRED':
    case 'TOKEN_REVOKED':
      return 'sign in again: sibyl login EMAIL';
    case 'STEP_UP_MFA_REQUIRED':
      return 'sign in anew with your second factor: sibyl login EMAIL';
    case 'SANDBOX_ONLY':
    case 'WRONG_ENV_KEY':
      return 'say which lane is meant: --sandbox or --live';
    case 'MARKET_NOT_FOUND':
      return typeof details.lane === 'string' ? `it is in the other lane: --${details.lane}` : null;
    case 'RATE_LIMITED':
      return retryAfterMs === null ? null : `try again in ${Math.ceil(retryAfterMs / 1000)} s`;
    case 'OPERATOR_AGREEMENT_MISSING':
      return `read it with sibyl builder agreement, then apply: sibyl builder apply TRACK --agree ${String(details.version ?? 'VERSION')}`;
    case 'BUILDER_NOT_APPROVED':
      return 'an operator has to approve you first: sibyl builder says how far that is';
    case 'WEBHOOK_URL_INVALID':
      return 'let the server deliver to this machine (its setting WEBHOOK_ALLOW=127.0.0.0/8), or give --public-url of a tunnel that leads here';
    default:
      return null;
  }
};

function serverUrl(text: string): string {
  if (/^https?:\/\/[^/]/i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('It begins with http:// or https://.');
}

/** What was given of optional fields: the others are absent, not undefined. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<Fields>;
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

export function wholeNumber(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number.');
}

/** An option that may be given several times. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** An amount as the exchange takes it: digits with a point, never a float. */
export function amount(text: string): string {
  if (/^[0-9]{1,12}(\.[0-9]{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError('An amount such as 10 or 0.55.');
}
