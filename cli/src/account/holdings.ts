// sibyl positions and balance: what an account holds.

import type { Balance, Position } from '@sibyl/sdk';
import type { Command } from 'commander';
import { amountText, type Column, painter, tableOf } from '../table.ts';
import { ask } from './ask.ts';
import { askLaneList, type PageOptions, withPages } from './listed.ts';
import { given, holderOf, type ServerOptions, withExamples, withServer } from './server.ts';
import { type WhoseOptions, whoseOf, withWhose } from './whose.ts';

interface PositionsOptions extends ServerOptions, WhoseOptions, PageOptions {
  readonly market?: string;
}

export function addHoldings(program: Command): void {
  withExamples(
    withWhose(withPages(withServer(program.command('positions'))))
      .description('what you hold, and what it is worth now')
      .option('--market <market-id>', 'of this market alone'),
    'sibyl positions',
    'sibyl positions --json | jq ".items[].unrealized_pnl"',
  ).action((options: PositionsOptions) => {
    const filter = { ...given({ market_id: options.market }), ...whoseOf(options) };
    return askLaneList(
      options,
      (page) => holderOf(options).account.positions({ ...filter, ...page }),
      positionColumns(),
    );
  });
  withExamples(
    withWhose(withServer(program.command('balance'))).description(
      'what is free, what is reserved and for what',
    ),
    'sibyl balance',
  ).action((options: ServerOptions & WhoseOptions) =>
    ask(options, () => holderOf(options).portfolio.balance(whoseOf(options)), {
      words: ({ balances }) => tableOf(balanceColumns, balances),
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
