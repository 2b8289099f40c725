// sibyl positions and balance: what an account holds.

import type { Balance, Position } from '@sibyl/sdk';
import type { Command } from 'commander';
import { exitCodes } from '../exit.ts';
import { amountText, type Column, painter, tableOf } from '../table.ts';
import { type PageOptions, showList, withPages } from './listed.ts';
import { given, holderOf, type ServerOptions, serve, withExamples, withServer } from './server.ts';

interface PositionsOptions extends ServerOptions, PageOptions {
  readonly market?: string;
  readonly subaccount?: string;
  readonly onBehalfOf?: string;
}

export function addHoldings(program: Command): void {
  withExamples(
    withPages(withServer(program.command('positions')))
      .description('what you hold, and what it is worth now')
      .option('--market <market-id>', 'of this market alone')
      .option('--subaccount <id>', 'of this subaccount')
      .option('--on-behalf-of <account-id>', 'of an account that has delegated to you'),
    'sibyl positions',
    'sibyl positions --json | jq ".items[].unrealized_pnl"',
  ).action((options: PositionsOptions) =>
    serve(options, async (terminal) => {
      const { market, subaccount, onBehalfOf, limit, cursor } = options;
      const about = { subaccount_id: subaccount, on_behalf_of: onBehalfOf };
      const listing = holderOf(options).account.positions(
        given({ market_id: market, ...about, limit, cursor }),
      );
      await showList(terminal, listing, positionColumns(), options);
      return exitCodes.done;
    }),
  );
  withExamples(
    withServer(program.command('balance'))
      .description('what is free, what is reserved and for what')
      .option('--subaccount <id>', 'of this subaccount')
      .option('--on-behalf-of <account-id>', 'of an account that has delegated to you'),
    'sibyl balance',
  ).action((options: Omit<PositionsOptions, 'market'>) =>
    serve(options, async (terminal) => {
      const { subaccount, onBehalfOf } = options;
      const query = given({ subaccount_id: subaccount, on_behalf_of: onBehalfOf });
      const balance = await holderOf(options).portfolio.balance(query);
      terminal.result(balance, tableOf(balanceColumns, balance.balances));
      return exitCodes.done;
    }),
  );
}

function positionColumns(): readonly Column<Position>[] {
  const paint = painter();
  const gain = (text: string): string =>
    text.trim().startsWith('-') ? paint.red(text) : paint.green(text);
  return [
    { head: 'MARKET', of: ({ market_id: id }) => id },
    { head: 'OUTCOME', of: ({ outcome_id: id }) => id },
    { head: 'SIZE', of: ({ size }) => amountText(size), align: 'right' },
    { head: 'PAID', of: ({ avg_price: price }) => amountText(price), align: 'right' },
    { head: 'NOW', of: ({ mark_price: price }) => amountText(price), align: 'right' },
    { head: 'GAIN', of: ({ unrealized_pnl: pnl }) => amountText(pnl), align: 'right', color: gain },
    { head: 'TAKEN', of: ({ realized_pnl: pnl }) => amountText(pnl), align: 'right', color: gain },
  ];
}

type AssetBalance = Balance['balances'][number];

const balanceColumns: readonly Column<AssetBalance>[] = [
  { head: 'ASSET', of: ({ asset }) => asset },
  { head: 'FREE', of: ({ free }) => amountText(free), align: 'right' },
  { head: 'RESERVED', of: ({ reserved }) => amountText(reserved), align: 'right' },
  { head: 'FOR ORDERS', of: ({ reserved_by: by }) => amountText(by.orders), align: 'right' },
  {
    head: 'FOR WITHDRAWALS',
    of: ({ reserved_by: by }) => amountText(by.withdrawals),
    align: 'right',
  },
  { head: 'PENDING', of: ({ pending }) => amountText(pending), align: 'right' },
];
