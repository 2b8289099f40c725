// sibyl keys: mint, list and revoke.

import { permissions } from '@sibyl/contract';
import type { ApiKey } from '@sibyl/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { exitCodes } from '../exit.ts';
import { type Column, painter, timeText } from '../table.ts';
import { wordsOf } from '../words.ts';
import { type PageOptions, showList, withPages } from './listed.ts';
import {
  collect,
  given,
  holderOf,
  type ServerOptions,
  serve,
  wholeNumber,
  withExamples,
  withServer,
} from './server.ts';

type Permission = (typeof permissions)[number];

interface MintOptions extends ServerOptions {
  readonly label?: string;
  readonly permission?: readonly Permission[];
  readonly expiresInDays?: number;
  readonly address?: readonly string[];
  readonly subaccount?: string;
}

const DAY_MS = 86_400_000;

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('your API keys');
  withExamples(
    withPages(withServer(keys.command('list', { isDefault: true }))).description(
      'your keys, newest first',
    ),
    'sibyl keys',
  ).action((options: ServerOptions & PageOptions) =>
    serve(options, async (terminal) => {
      const { limit, cursor } = options;
      await showList(
        terminal,
        holderOf(options).keys.list(given({ limit, cursor })),
        keyColumns(),
        options,
      );
      return exitCodes.done;
    }),
  );
  withExamples(
    withServer(keys.command('mint'))
      .description('mint a key; it is shown once')
      .option('--label <text>', 'what it is for')
      .option(
        '--permission <permission>',
        `${permissions.join(', ')}; give it once for each, read unless told`,
        permission,
      )
      .option('--expires-in-days <days>', 'when it ends', wholeNumber)
      .option('--address <network>', 'where it may be used from, once for each', collect)
      .option('--subaccount <id>', 'bind it to this subaccount'),
    'sibyl keys mint --label bot --permission read --permission trade --expires-in-days 30',
    'sibyl keys mint --json > key.json             # mind who can read the file',
  ).action((options: MintOptions) =>
    serve(options, async (terminal) => {
      const { label, expiresInDays: days, address, subaccount } = options;
      const minted = await holderOf(options).keys.mint(
        given({
          label,
          permissions: options.permission === undefined ? undefined : [...options.permission],
          expires_at_ms: days === undefined ? undefined : Date.now() + days * DAY_MS,
          allowed_addresses: address === undefined ? undefined : [...address],
          subaccount_id: subaccount,
        }),
      );
      terminal.result(minted, wordsOf(minted));
      terminal.note('The key, the secret and the passphrase are shown this once.');
      return exitCodes.done;
    }),
  );
  withExamples(
    withServer(keys.command('revoke <key-id>')).description(
      'end a key, by its public id, with all that it minted',
    ),
    'sibyl keys revoke sk_live_0123456789abcdef',
  ).action((keyId: string, options: ServerOptions) =>
    serve(options, async (terminal) => {
      const revoked = await holderOf(options).keys.revoke(keyId);
      terminal.result(revoked, [`${revoked.key_id} is ${revoked.status}`]);
      return exitCodes.done;
    }),
  );
}

function permission(
  text: string,
  before: readonly Permission[] | undefined,
): readonly Permission[] {
  const known = permissions.find((one) => one === text);
  if (known === undefined) throw new InvalidArgumentError(`One of ${permissions.join(', ')}.`);
  return [...new Set([...(before ?? []), known])];
}

function keyColumns(): readonly Column<ApiKey>[] {
  const paint = painter();
  return [
    { head: 'KEY', of: ({ key_id: id }) => id },
    {
      head: 'STATE',
      of: ({ status }) => status,
      color: (text, { status }) => (status === 'active' ? paint.green(text) : paint.dim(text)),
    },
    { head: 'LANE', of: ({ environment }) => environment },
    { head: 'TIER', of: ({ tier }) => tier },
    { head: 'MAY', of: ({ permissions: may }) => may.join(', ') },
    { head: 'ENDS', of: ({ expires_at: at }) => timeText(at) },
    { head: 'LAST USED', of: ({ last_used_at: at }) => (at === null ? 'never' : timeText(at)) },
    { head: 'LABEL', of: ({ label }) => label },
  ];
}
