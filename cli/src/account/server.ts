// Which server a command speaks to, in which lane, and as whom.

import { createClient, type SibylClient } from '@sibyl/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { run, Unusable, type Work } from '../run.ts';
import { adviceOn } from './advice.ts';
import { isTestKey, savedCredential, savedName } from './credentials.ts';

export interface ServerOptions {
  readonly url: string;
  readonly sandbox?: boolean;
  readonly live?: boolean;
  readonly json?: boolean;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** What every command for account holders understands. */
export function withServer(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'the server')
        .env('SIBYL_URL')
        .default(DEFAULT_URL)
        .argParser(webAddress),
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

/** SIBYL_TOKEN overrides the saved credential. The lane is that of the last sign-in by default; an `sk_test_` key has its own. */
export function connectionOf(options: ServerOptions): Connection {
  const { url, sandbox, live } = options;
  const lent = process.env.SIBYL_TOKEN?.trim() || null;
  const saved = lent === null ? savedCredential(url) : null;
  const token = lent ?? saved?.token ?? null;
  const isUsual = (saved ?? savedName(url))?.isSandbox === true || isTestKey(token ?? undefined);
  return { baseUrl: addressOf(url, sandbox === true || (live !== true && isUsual)), token };
}

/** Where a lane is asked; an address that names the sandbox already is taken as it is. */
export function addressOf(url: string, isSandbox: boolean): string {
  return isSandbox && !url.endsWith('/sandbox') ? `${url}/sandbox` : url;
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
    `nobody is signed in at ${options.url}: sibyl login EMAIL, or sibyl login --key with a key that you have, or sibyl sandbox key for one of play money, or set SIBYL_TOKEN`,
  );
}

/** Runs the work of a command for account holders; `ifUnknown` says what to do where it finds nothing. */
export async function serve(options: ServerOptions, work: Work, ifUnknown?: string): Promise<void> {
  const { url, json } = options;
  const isUsual = url === (process.env.SIBYL_URL?.trim() || DEFAULT_URL);
  await run(json === true, work, adviceOn({ url, isUsual, ifUnknown }));
}

export function webAddress(text: string): string {
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

/** An option that may be given several times, each time one of these. */
export function severalOf<Name extends string>(
  flags: string,
  about: string,
  names: readonly Name[],
): Option {
  const parse = (text: string, before: readonly Name[] | undefined): readonly Name[] => {
    const known = names.find((name) => name === text);
    if (known === undefined) throw new InvalidArgumentError(`One of ${names.join(', ')}.`);
    return [...new Set([...(before ?? []), known])];
  };
  return new Option(flags, about).choices([...names]).argParser(parse);
}

/** A UTC day or a time with its zone, in milliseconds. */
export function instantMs(text: string): number {
  const [day = ''] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  const isWhole =
    text === day || /^T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(text.slice(day.length));
  const ms = day !== '' && isWhole ? Date.parse(text) : Number.NaN;
  // The 31st of a shorter month is read as a day of the next one.
  const isReal = !Number.isNaN(ms) && new Date(Date.parse(day)).toISOString().startsWith(day);
  if (isReal) return ms;
  throw new InvalidArgumentError(
    'A UTC day such as 2026-11-14, or a time such as 2026-11-14T12:00Z.',
  );
}

/** An amount as the exchange takes it: digits with a point, never a float. */
export function amount(text: string): string {
  if (/^[0-9]{1,12}(\.[0-9]{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError('An amount such as 10 or 0.55.');
}
