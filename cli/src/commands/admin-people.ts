// sibyl admin for people: sign in and out, confirm, and shorter names for operators, the queue and the trail.

import { password as askFor } from '@clack/prompts';
import { operatorOperations } from '@sibyl/contract';
import { settingsOf, Transport } from '@sibyl/sdk';
import type { Command } from 'commander';
import { exitCodes } from '../exit.ts';
import { run, Unusable } from '../run.ts';
import { isRecord, wordsOf } from '../words.ts';
import { addOperation, adminUrl, tokenFor, urlOption } from './admin-operation.ts';
import { saveSession } from './operator-session.ts';

interface PeopleOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** Which operation stands behind which shorter name. */
const GROUPS = {
  operators: {
    list: 'listOperators',
    add: 'addOperator',
    roles: 'setOperatorRoles',
    disable: 'disableOperator',
  },
  queue: { list: 'listApprovals', approve: 'approveAct', reject: 'rejectAct' },
  trail: { list: 'listTrail' },
} as const;

export function addPeople(admin: Command): void {
  const sign = (name: string, about: string) =>
    admin
      .command(name)
      .description(about)
      .addOption(urlOption())
      .option('--json', 'the answer as JSON');
  sign(
    'login <name>',
    'sign in; the password is asked for, or read from SIBYL_OPERATOR_PASSWORD',
  ).action((name: string, options: PeopleOptions) => signIn(name, options));
  sign('logout', 'sign out, and forget the session').action((options: PeopleOptions) =>
    signOut(options),
  );
  sign('confirm', 'prove by your password that it is you, for what is dangerous').action(
    (options: PeopleOptions) => confirm(options),
  );
  addOperation(admin, operatorOperations.getOperatorIdentity, 'whoami');
  for (const [group, commands] of Object.entries(GROUPS)) {
    const parent = admin.command(group).description(`the ${group} of the exchange, in short`);
    for (const [name, id] of Object.entries(commands)) {
      addOperation(parent, operatorOperations[id], name);
    }
    if (group === 'trail') addExport(parent);
  }
}

async function signIn(name: string, options: PeopleOptions): Promise<void> {
  await run(options.json === true, async (terminal) => {
    const url = options.url ?? adminUrl();
    const body = { name, password: await typed(options) };
    const data = await send(url, '', 'POST', operatorOperations.openOperatorSession.path, body);
    saveSession(url, String(data.session_token));
    const { session_token: _kept, ...shown } = data;
    terminal.result(shown, wordsOf(shown));
    return exitCodes.done;
  });
}

async function signOut(options: PeopleOptions): Promise<void> {
  await run(options.json === true, async (terminal) => {
    const url = options.url ?? adminUrl();
    const token = await tokenFor(url, undefined, true);
    const { method, path } = operatorOperations.closeOperatorSession;
    const data = await send(url, token, method, path);
    saveSession(url, null);
    terminal.result(data, wordsOf(data));
    return exitCodes.done;
  });
}

async function confirm(options: PeopleOptions): Promise<void> {
  await run(options.json === true, async (terminal) => {
    const url = options.url ?? adminUrl();
    const token = await tokenFor(url, undefined, true);
    const { method, path } = operatorOperations.stepUpOperatorSession;
    const data = await send(url, token, method, path, { password: await typed(options) });
    terminal.result(data, wordsOf(data));
    return exitCodes.done;
  });
}

/** One entry a line, as JSON: all of them, whatever the filter of a page. */
function addExport(trail: Command): void {
  trail
    .command('export')
    .description('every entry as a line of JSON, from the first to the last')
    .addOption(urlOption())
    .action((options: PeopleOptions) =>
      run(false, async () => {
        const url = options.url ?? adminUrl();
        const transport = transportTo(url, await tokenFor(url, undefined, true));
        const { method, path } = operatorOperations.listTrail;
        for (let cursor: unknown = null; ; ) {
          const query = { limit: 500, ...(typeof cursor === 'string' ? { cursor } : {}) };
          const asked = { method, path, query, keyed: false, repeatable: true } as const;
          const { data, meta } = await transport.send(asked);
          const entries: readonly unknown[] = Array.isArray(data) ? data : [];
          for (const entry of entries) process.stdout.write(`${JSON.stringify(entry)}\n`);
          cursor = meta.next_cursor ?? null;
          if (typeof cursor !== 'string') return exitCodes.done;
        }
      }),
    );
}

async function typed({ json }: PeopleOptions): Promise<string> {
  const given = process.env.SIBYL_OPERATOR_PASSWORD;
  if (given !== undefined && given !== '') return given;
  if (json !== true && process.stdin.isTTY) {
    const asked = await askFor({ message: 'Password' });
    if (typeof asked === 'string' && asked !== '') return asked;
  }
  throw new Unusable('no password: type it at a terminal, or set SIBYL_OPERATOR_PASSWORD');
}

function transportTo(baseUrl: string, token: string): Transport {
  return new Transport(settingsOf(token === '' ? { baseUrl } : { baseUrl, token }));
}

async function send(
  url: string,
  token: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const said = body === undefined ? {} : { body };
  const request = { method, path, ...said, keyed: false, repeatable: false };
  const { data } = await transportTo(url, token).send(request);
  return isRecord(data) ? data : {};
}
