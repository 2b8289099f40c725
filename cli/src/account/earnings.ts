// sibyl revenue and attribution: what you earned by the fees of others, and what your apps brought.

import { attributionGroupings, revenueGroupings } from '@sibyl/contract';
import type { Item } from '@sibyl/sdk';
import { type Command, Option } from 'commander';
import { amountText, type Column, timeText } from '../table.ts';
import { askLaneList, type PageOptions, withPages } from './listed.ts';
import {
  given,
  holderOf,
  instantMs,
  type ServerOptions,
  withExamples,
  withServer,
} from './server.ts';

type Revenue = Item<'getRevenue'>;
type Attribution = Item<'getAttribution'>;

interface EarningsOptions<Grouping> extends ServerOptions, PageOptions {
  readonly by: Grouping;
  readonly app?: string;
  readonly from?: number;
  readonly to?: number;
}

export function addEarnings(program: Command): void {
  withExamples(
    withRange(program.command('revenue'), revenueGroupings, 'actor').description(
      'what you earned by fees as creator, builder and referrer: what was paid out, and what is still to come',
    ),
    'sibyl revenue',
    'sibyl revenue --by app --from 2026-11-01 --to 2026-12-01',
    'sibyl revenue --json | jq -r .items[0].pending',
  ).action((options: EarningsOptions<(typeof revenueGroupings)[number]>) =>
    askLaneList(
      options,
      (page) => holderOf(options).revenue.rows({ ...rangeOf(options), ...page }),
      [...placeColumns[options.by], ...revenueColumns],
      isSum,
    ),
  );
  withExamples(
    withRange(program.command('attribution'), attributionGroupings, 'app').description(
      'what your apps brought: trades, their volume, and what came of it; by key what your own keys traded',
    ),
    'sibyl attribution',
    'sibyl attribution --by day --from 2026-11-01 --to 2026-12-01',
    'sibyl attribution --by fill --app app_0123456789abcdef --all --json',
  ).action((options: EarningsOptions<(typeof attributionGroupings)[number]>) =>
    askLaneList(
      options,
      (page) => holderOf(options).attribution.rows({ ...rangeOf(options), ...page }),
      attributionColumns(options.by),
      isSum,
    ),
  );
}

function withRange(command: Command, groupings: readonly string[], usual: string): Command {
  return withPages(withServer(command))
    .addOption(
      new Option('--by <what>', 'a row for each of these').choices([...groupings]).default(usual),
    )
    .option('--app <app-id>', 'of this app of yours alone')
    .option('--from <day>', 'from this UTC day or time on; 30 days ago unless told', instantMs)
    .option('--to <day>', 'up to this UTC day or time, without it; now unless told', instantMs);
}

function rangeOf<Grouping>({ by, app, from, to }: EarningsOptions<Grouping>) {
  return { group_by: by, ...given({ app_id: app, from_ms: from, to_ms: to }) };
}

type Row = Attribution | Revenue;

/** It stands there also where nothing was earned. */
function isSum({ kind }: Row): boolean {
  return kind === 'total';
}

type PlaceColumn = Column<Row>;

/** The first column names the row that is the sum of all. */
function firstColumn(head: string, of: (row: Row) => string | null): PlaceColumn {
  return { head, of: (row) => (row.kind === 'total' ? 'total' : (of(row) ?? '-')) };
}

const tradedAt = firstColumn('TRADED', ({ ts_ms: atMs }) =>
  atMs === null ? null : timeText(new Date(atMs).toISOString()),
);
const earnedBy: PlaceColumn = {
  head: 'SOURCE',
  of: (row) => row.app_id ?? ('account_id' in row ? row.account_id : null) ?? '-',
};

/** What the rows are of. */
const placeColumns: Readonly<
  Record<'fill' | 'day' | 'app' | 'market' | 'actor' | 'key', readonly PlaceColumn[]>
> = {
  fill: [
    tradedAt,
    { head: 'TRADE', of: ({ trade_id: id }) => id ?? '-' },
    { head: 'MARKET', of: ({ market_id: id }) => id ?? '-' },
    earnedBy,
  ],
  day: [firstColumn('DAY', ({ day }) => day)],
  app: [firstColumn('APP', ({ app_id: id }) => id)],
  market: [firstColumn('MARKET', ({ market_id: id }) => id)],
  key: [firstColumn('KEY', (row) => ('key_id' in row ? row.key_id : null))],
  actor: [firstColumn('ROLE', (row) => ('role' in row ? row.role : null)), earnedBy],
};

const fills: PlaceColumn = {
  head: 'TRADES',
  of: (row) => String(row.fills),
  align: 'right',
};

const revenueColumns: readonly Column<Revenue>[] = [
  fills,
  { head: 'EARNED', of: ({ accrued }) => amountText(accrued), align: 'right' },
  { head: 'GIVEN BACK', of: ({ returned }) => amountText(returned), align: 'right' },
  { head: 'PAID', of: ({ credited }) => amountText(credited), align: 'right' },
  { head: 'TO COME', of: ({ pending }) => amountText(pending), align: 'right' },
];

/** Of keys it is known how much they traded, and nothing else. */
function attributionColumns(
  by: (typeof attributionGroupings)[number],
): readonly Column<Attribution>[] {
  const volume: Column<Attribution> = {
    head: 'VOLUME',
    of: (row) => amountText(row.volume),
    align: 'right',
  };
  const brought: Column<Attribution> = {
    head: 'BROUGHT',
    of: ({ accrued }) => amountText(accrued),
    align: 'right',
  };
  const label: Column<Attribution> = { head: 'LABEL', of: (row) => row.label || '-' };
  return by === 'key'
    ? [...placeColumns.key, volume, label]
    : [...placeColumns[by], fills, volume, brought];
}
