// One operation of the operator plane as a command, made from the contract.

import type { AnyOperation } from '@sibyl/contract';
import {
  type Envelope,
  fillPath,
  type Request,
  SibylError,
  settingsOf,
  Transport,
} from '@sibyl/sdk';
import { type Command, Option } from 'commander';
import { exitCodes } from '../exit.ts';
import { type Advise, run, Unusable, type Work } from '../run.ts';
import { askSecrets, typedAtTerminal } from '../secrets.ts';
import { wordsOf } from '../words.ts';
import { adviceOn } from './advice.ts';
import { faultIn, noteOn } from './answers.ts';
import { type Field, fieldsOf, givenIn, secretsIn } from './fields.ts';
import { savedSession } from './operator-session.ts';
import { awaitReconciliation } from './reconciliation.ts';

interface AdminOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
  readonly [field: string]: unknown;
}

/** A command for the operation below the given one. */
export function addOperation(
  parent: Command,
  operation: AnyOperation,
  name = kebab(operation.id),
): void {
  const command = parent
    .command(name)
    .description(`${operation.summary}: ${operation.description}`)
    .addOption(urlOption())
    .option(
      '--token <token>',
      'a bearer, which others on this machine can see; else the session of sibyl admin login, else OPERATOR_TOKEN',
    )
    .option('--json', 'the answer as JSON');
  const params = Object.keys(operation.input.params?.properties ?? {});
  for (const name of params) command.argument(`<${name.replaceAll('_', '-')}>`);
  const fields = fieldsOf(operation.input.body ?? operation.input.query);
  for (const field of fields) command.addOption(field.option);
  if (operation.idempotency !== 'none') {
    command.option('--idempotency-key <key>', 'repeat an act without doing it twice');
  }
  if (operation.id === 'startReconciliation') {
    command.option('--no-wait', 'do not wait for the report');
  }
  command.action(async (...values: unknown[]) => {
    const ids = values.slice(0, params.length).map(String);
    const options = values[params.length] as AdminOptions;
    await send(operation, ids, fields, options);
  });
}

async function send(
  operation: AnyOperation,
  ids: readonly string[],
  fields: readonly Field[],
  options: AdminOptions,
): Promise<void> {
  const work: Work = async (terminal) => {
    const baseUrl = options.url ?? adminUrl();
    const token =
      operation.auth === 'public'
        ? {}
        : { token: await tokenFor(baseUrl, options.token, options.json !== true) };
    const transport = new Transport(settingsOf({ baseUrl, ...token, timeoutMs: PATIENCE_MS }));
    const given = await completed(operation, givenIn(fields, options));
    const request = {
      method: operation.method,
      path: fillPath(operation.path, ids),
      ...(operation.input.body === null ? { query: given } : { body: given }),
      keyed: operation.idempotency !== 'none',
      repeatable: true,
    };
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    const { data, meta } = await sendUntilDone(transport, request, idempotencyKey);
    const waits = operation.id === 'startReconciliation' && options.wait !== false;
    const shown = waits ? await awaitReconciliation(transport, terminal, given.lane) : data;
    terminal.result(shown, wordsOf(shown));
    const { next_cursor: next } = meta;
    if (typeof next === 'string') terminal.note(`There are more: --cursor ${next}`);
    const note = noteOn(operation, shown);
    if (note !== null) terminal.note(note);
    const fault = faultIn(operation, shown);
    if (fault === null) return exitCodes.done;
    terminal.problem(fault.code, fault.message);
    return exitCodes.failed;
  };
  await run(options.json === true, work, adviceFor(options));
}

/** With the passwords that it takes, which are asked for. */
async function completed(
  { input }: AnyOperation,
  given: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const names = secretsIn(input.body, given);
  const secrets = await askSecrets(names);
  return { ...given, ...Object.fromEntries(names.map((name, at) => [name, secrets[at]])) };
}

interface Addressed {
  readonly url?: string;
  readonly token?: string;
}

export function adviceFor({ url, token }: Addressed): Advise {
  return (error) =>
    adviceOn({ url: url ?? adminUrl(), isElsewhere: url !== undefined, token })(error);
}

/** What takes longer than an answer may, a large backup say, goes on at the server: its answer is asked for until it is there. */
async function sendUntilDone(
  transport: Transport,
  request: Request,
  idempotencyKey: string,
): Promise<Envelope> {
  for (;;) {
    try {
      return await transport.send(request, { idempotencyKey });
    } catch (error) {
      const isRunning =
        request.keyed &&
        error instanceof SibylError &&
        (error.code === 'IDEMPOTENCY_IN_FLIGHT' || error.code === 'UPSTREAM_TIMEOUT');
      if (!isRunning) throw error;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }
}

const ASK_AGAIN_MS = 1_000;
/** Longer than the server takes to answer that something goes on. */
const PATIENCE_MS = 40_000;
const ADMIN_PORT = '8081';

/** As the server reads the setting: the plane is on this machine, and a blank counts as not set. */
export function adminUrl(): string {
  const port = process.env.ADMIN_PORT?.trim() || ADMIN_PORT;
  if (/^[1-9][0-9]{0,4}$/.test(port)) return `http://127.0.0.1:${port}`;
  throw new Unusable(
    `ADMIN_PORT=${port} does not say where the server is: give --url as the start showed it`,
  );
}

export function urlOption(): Option {
  const option = new Option('--url <url>', 'the operator plane; by default that of ADMIN_PORT');
  return option.env('SIBYL_ADMIN_URL');
}

/** Without a question: null if nobody is signed in. */
export function knownToken(url: string, given?: string): string | null {
  const known = given?.trim() || savedSession(url)?.token || process.env.OPERATOR_TOKEN?.trim();
  return known || null;
}

/** What was given, the session of whoever has signed in, the token of the environment, or what is typed now. */
export async function tokenFor(url: string, given?: string, mayAsk = false): Promise<string> {
  const known = knownToken(url, given);
  if (known !== null) return known;
  const typed = mayAsk && process.stdin.isTTY ? await typedAtTerminal('Operator token') : '';
  if (typed !== '') return typed;
  throw new Unusable(
    `nobody is signed in at ${url}: sibyl admin login --url ${url}, or give --url of the server that you are signed in to, or --token, or set OPERATOR_TOKEN`,
  );
}

function kebab(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
