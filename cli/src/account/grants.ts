// sibyl grants: what you have allowed apps and partners, and taking it back.

import type { Item } from '@sibyl/sdk';
import type { Command } from 'commander';
import { amountText, type Column, stateColumn, timeText } from '../table.ts';
import { ask } from './ask.ts';
import { askList, type PageOptions, withPages } from './listed.ts';
import { given, holderOf, type ServerOptions, withExamples, withServer } from './server.ts';

type Grant = Item<'listGrants'>;

interface GrantsOptions extends ServerOptions, PageOptions {
  readonly active?: boolean;
}

export function addGrants(program: Command): void {
  const grants = program
    .command('grants')
    .description('what you have allowed apps and partners; take it back');
  withExamples(
    withPages(withServer(grants.command('list', { isDefault: true })))
      .description('apps and partners that act for you, in both lanes, the newest first')
      .option('--active', 'without those that are over'),
    'sibyl grants --active',
    'sibyl grants --json | jq -r .items[].consent_text',
  ).action((options: GrantsOptions) => {
    const filter = given({ status: options.active === true ? ('active' as const) : undefined });
    return askList(
      options,
      (page) => holderOf(options).connect.listGrants({ ...filter, ...page }),
      grantColumns,
    );
  });
  withExamples(
    withServer(grants.command('revoke <grant-id>')).description(
      'take it back at once, with its tokens; its open orders are cancelled',
    ),
    'sibyl grants revoke grt_0123456789abcdef',
  ).action((grantId: string, options: ServerOptions) =>
    ask(options, () => holderOf(options).connect.revokeGrant(grantId), {
      words: (grant) => [
        `${grant.grant_id} is ${grant.status}: ${whoOf(grant)} acts for you no longer`,
      ],
      ifUnknown: 'sibyl grants lists yours',
    }),
  );
}

/** The name that reviewers found behind an app goes before the one that it gives itself. */
function whoOf(grant: Grant): string {
  const name = grant.verified_name ?? grant.app_name ?? grant.partner_name;
  const id = grant.app_id ?? grant.partner_id ?? '';
  return name === null ? id : `${name} (${id})`;
}

const grantColumns: readonly Column<Grant>[] = [
  { head: 'GRANT', of: ({ grant_id: id }) => id },
  stateColumn({ active: 'green' }),
  { head: 'KIND', of: ({ kind }) => (kind === 'oauth' ? 'app' : kind) },
  { head: 'LANE', of: ({ environment }) => environment },
  { head: 'ACCOUNT', of: ({ account_id: id }) => id },
  { head: 'MAY', of: ({ scopes }) => scopes.join(', ') },
  {
    head: 'A DAY',
    of: ({ daily_cap: cap }) => (cap === null ? 'no cap' : amountText(cap)),
    align: 'right',
  },
  {
    head: 'FEE BPS',
    of: ({ fee_cap_bps: most }) => (most === 0 ? 'none' : `up to ${most}`),
    align: 'right',
  },
  { head: 'ENDS', of: ({ expires_at: at }) => timeText(at) },
  { head: 'LAST USED', of: ({ last_used_at: at }) => (at === null ? 'never' : timeText(at)) },
  { head: 'WHO', of: whoOf },
];
