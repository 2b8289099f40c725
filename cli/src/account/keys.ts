// sibyl keys: mint, list and revoke them, and draw the secrets that sign.

import { permissions } from '@sibyl/contract';
import type { ApiKey, Body } from '@sibyl/sdk';
import type { Command } from 'commander';
import { type Column, stateColumn, timeText } from '../table.ts';
import { ask, askOnce } from './ask.ts';
import { wholeKeyWarning } from './key-id.ts';
import { askList, type PageOptions, withPages } from './listed.ts';
import {
  collect,
  given,
  holderOf,
  type ServerOptions,
  severalOf,
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
const EXAMPLE = 'sk_live_0123456789abcdef';
const IF_UNKNOWN = 'sibyl keys lists yours';

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('your API keys');
  withExamples(
    withPages(withServer(keys.command('list', { isDefault: true }))).description(
      'your keys, newest first',
    ),
    'sibyl keys',
  ).action((options: ServerOptions & PageOptions) =>
    askList(options, (page) => holderOf(options).keys.list(page), keyColumns),
  );
  addMint(keys);
  withExamples(
    withServer(keys.command('revoke <key-id>')).description(
      'end a key, by its public id, with all that it minted',
    ),
    `sibyl keys revoke ${EXAMPLE}`,
  ).action((keyId: string, options: ServerOptions) =>
    ask(options, () => holderOf(options).keys.revoke(keyId), {
      words: ({ key_id: id, status }) => [`${id} is ${status}`],
      ifUnknown: IF_UNKNOWN,
    }),
  );
  addSigningSecret(keys);
}

function addMint(keys: Command): void {
  withExamples(
    withServer(keys.command('mint'))
      .description('mint a key; it is shown once')
      .option('--label <text>', 'what it is for')
      .addOption(
        severalOf(
          '--permission <permission>',
          'what it may, once for each; read unless told',
          permissions,
        ),
      )
      .option('--expires-in-days <days>', 'when it ends', wholeNumber)
      .option('--address <network>', 'where it may be used from, once for each', collect)
      .option('--subaccount <id>', 'bind it to this subaccount'),
    'sibyl keys mint --label bot --permission read --permission trade --expires-in-days 30',
    'sibyl keys mint --json > key.json             # mind who can read the file',
  ).action((options: MintOptions) =>
    askOnce(
      options,
      () => holderOf(options).keys.mint(wantedKey(options)),
      ({ key_id: key, public_id: id, ...rest }) => ({
        // What the interface calls the id of a minted key is the key itself; a replay has its id alone.
        named: { key: rest.secrets_withheld ? null : key, key_id: id, ...rest },
        note: 'The key, the secret and the passphrase are shown this once; the key id is what other commands take.',
        instead: `end it and mint another: sibyl keys revoke ${id}`,
      }),
    ),
  );
}

function wantedKey(options: MintOptions): Body<'mintKey'> {
  const { label, permission, expiresInDays: days, address, subaccount } = options;
  return given({
    label,
    permissions: permission === undefined ? undefined : [...permission],
    expires_at_ms: days === undefined ? undefined : Date.now() + days * DAY_MS,
    allowed_addresses: address === undefined ? undefined : [...address],
    subaccount_id: subaccount,
  });
}

function addSigningSecret(keys: Command): void {
  withExamples(
    withServer(keys.command('signing-secret <key-id>')).description(
      'draw the secret by which requests of the key are signed, in the place of the one before; it is shown once',
    ),
    `sibyl keys signing-secret ${EXAMPLE}`,
    `sibyl keys signing-secret ${EXAMPLE} --json > secret.json   # mind who can read the file`,
  ).action((keyId: string, options: ServerOptions) =>
    askOnce(
      options,
      () => holderOf(options).keys.drawSigningSecret(keyId),
      ({ key_id: id }) => ({
        note: [
          'The secret and the passphrase are shown this once; those before sign no longer.',
          ...wholeKeyWarning(keyId),
        ].join('\n'),
        instead: `draw others: sibyl keys signing-secret ${id}`,
      }),
      IF_UNKNOWN,
    ),
  );
}

const keyColumns: readonly Column<ApiKey>[] = [
  { head: 'KEY', of: ({ key_id: id }) => id },
  stateColumn({ active: 'green' }),
  { head: 'LANE', of: ({ environment }) => environment },
  { head: 'TIER', of: ({ tier }) => tier },
  {
    head: 'MAY',
    of: ({ permissions: may, partner_scopes: forOthers, has_signing_secret: signs }) =>
      [...may, ...forOthers, ...(signs ? ['sign'] : [])].join(', '),
  },
  { head: 'ENDS', of: ({ expires_at: at }) => timeText(at) },
  { head: 'LAST USED', of: ({ last_used_at: at }) => (at === null ? 'never' : timeText(at)) },
  { head: 'LABEL', of: ({ label }) => label },
];
