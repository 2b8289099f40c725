// sibyl admin: every operation of the operator plane as a command, made from the contract.

import { password } from '@clack/prompts';
import { type AnyOperation, operatorOperations } from '@sibyl/contract';
import { fillPath, settingsOf, Transport } from '@sibyl/sdk';
import { type Command, Option } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run, Unusable } from '../run.ts';
import { type Field, fieldsOf } from './fields.ts';

export function addAdmin(program: Command): void {
  const admin = program
    .command('admin')
    .description('act as the operator of a running server')
    .addHelpText(
      'after',
      `
Every act needs --reason, which the journal keeps. The token comes from --token, from OPERATOR_TOKEN,
or is asked for.

  sibyl admin halt-market m_0123456789abcdef --lane sandbox --reason "wrong feed"
  sibyl admin get-reconciliation --lane live --json
${exitHelp}`,
    );
  for (const operation of Object.values(operatorOperations)) addOperation(admin, operation);
}

interface AdminOptions {
  readonly url: string;
  readonly token?: string;
  readonly json?: boolean;
  readonly idempotencyKey?: string;
  readonly [field: string]: unknown;
}

function addOperation(admin: Command, operation: AnyOperation): void {
  const command = admin
    .command(kebab(operation.id))
    .description(`${operation.summary}: ${operation.description}`)
    .addOption(
      new Option('--url <url>', 'the operator plane')
        .env('SIBYL_ADMIN_URL')
        .default('http://127.0.0.1:8081'),
    )
    .addOption(new Option('--token <token>', "the operator's bearer").env('OPERATOR_TOKEN'))
    .option('--json', 'the answer as JSON');
  const params = Object.keys(operation.input.params?.properties ?? {});
  for (const name of params) command.argument(`<${name.replaceAll('_', '-')}>`);
  const fields = fieldsOf(operation.input.body ?? operation.input.query);
  for (const field of fields) command.addOption(field.option);
  if (operation.idempotency !== 'none') {
    command.option('--idempotency-key <key>', 'repeat an act without doing it twice');
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
  await run(options.json === true, async (terminal) => {
    const token = options.token ?? (await askToken(options.json === true));
    const transport = new Transport(settingsOf({ baseUrl: options.url, token }));
    const given = Object.fromEntries(
      fields
        .filter(({ key }) => options[key] !== undefined)
        .map(({ key, name }) => [name, options[key]]),
    );
    const { data } = await transport.send(
      {
        method: operation.method,
        path: fillPath(operation.path, ids),
        ...(operation.input.body === null ? { query: given } : { body: given }),
        keyed: operation.idempotency !== 'none',
        repeatable: true,
      },
      options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey },
    );
    terminal.result(data, describe(data));
    return isUnwell(data) ? exitCodes.failed : exitCodes.done;
  });
}

async function askToken(isJson: boolean): Promise<string> {
  if (!isJson && process.stdin.isTTY) {
    const typed = await password({ message: 'Operator token' });
    if (typeof typed === 'string' && typed !== '') return typed;
  }
  throw new Unusable('no operator token: give --token or set OPERATOR_TOKEN');
}

/** A report that does not balance is a finding, not a success. */
function isUnwell(data: unknown): boolean {
  return isRecord(data) && data.balanced === false;
}

function describe(data: unknown): readonly string[] {
  if (!isRecord(data)) return [String(data)];
  return Object.entries(data).map(([key, value]) => {
    const shown = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    return `${key.padEnd(18)} ${String(shown)}`;
  });
}

function kebab(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
