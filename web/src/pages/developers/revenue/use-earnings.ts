// What was earned, brought and traded in the days that are shown, as the exchange adds it up.
import type { Item } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { basePath } from '../../../lane.ts';
import { type List, useList } from '../../../live/use-list.ts';
import { useClient, useWho } from '../../../session/use-session.ts';
import { noteRate } from '../rates.ts';

export type RevenueRow = Item<'getRevenue'>;
type AttributionRow = Item<'getAttribution'>;

/** By key there are neither numbers of trades nor shares of fees. */
export type TradedRow = Pick<AttributionRow, 'kind' | 'key_id' | 'label' | 'volume'>;

export interface BroughtRow extends AttributionRow {
  readonly fills: number;
  readonly accrued: string;
}

const broughtRow = (row: AttributionRow): BroughtRow => ({
  ...row,
  fills: row.fills ?? 0,
  accrued: row.accrued ?? '0',
});

/** How many days are shown; with the row of the total they are on one page. */
export const spans = ['7', '30', '90'] as const;
export type Span = (typeof spans)[number];

const DAY_MS = 86_400_000;
const PAGE_ROWS = 100;
const EVERY_MS = 30_000;

/** The first instant of the first of the days, which are those of UTC; today is the last. */
export function sinceOf(span: Span): { readonly from_ms: number } {
  return { from_ms: (Math.floor(Date.now() / DAY_MS) + 1 - Number(span)) * DAY_MS };
}

export function useRevenueDays(span: Span) {
  const client = useClient();
  return useDays('revenue', span, () =>
    client.revenue.rows(
      { group_by: 'day', limit: PAGE_ROWS, ...sinceOf(span) },
      { onAnswer: noteRate },
    ),
  );
}

export function useAttributionDays(span: Span) {
  const client = useClient();
  return useDays('attribution', span, async () => {
    const { items } = await client.attribution.rows(
      { group_by: 'day', limit: PAGE_ROWS, ...sinceOf(span) },
      { onAnswer: noteRate },
    );
    return { items: items.map(broughtRow) };
  });
}

export interface Days<Row> {
  readonly total: Row;
  readonly days: readonly Row[];
}

function useDays<Row>(
  name: string,
  span: Span,
  read: () => PromiseLike<{ readonly items: readonly Row[] }>,
) {
  const who = useWho();
  return useQuery({
    queryKey: [name, basePath, who, 'day', span],
    queryFn: async (): Promise<Days<Row>> => {
      const [total, ...days] = (await read()).items;
      if (total === undefined) throw new RangeError('the exchange told no total');
      return { total, days };
    },
    placeholderData: (before, query) => (query?.queryKey[2] === who ? before : undefined),
    refetchInterval: EVERY_MS,
  });
}

export function useRevenueParts(by: 'actor' | 'app', span: Span): List<RevenueRow> {
  const client = useClient();
  return partsOf(
    useList<RevenueRow>({
      name: 'revenue',
      filter: `${by} ${span}`,
      keyOf: revenueKey,
      read: (query) =>
        client.revenue.rows({ ...query, group_by: by, ...sinceOf(span) }, { onAnswer: noteRate }),
      everyMs: () => EVERY_MS,
    }),
  );
}

export function useAttributionParts(by: 'app' | 'market', span: Span): List<BroughtRow> {
  const client = useClient();
  return partsOf(
    useList<BroughtRow>({
      name: 'attribution',
      filter: `${by} ${span}`,
      keyOf: attributionKey,
      read: async (query) => {
        const { items, nextCursor } = await client.attribution.rows(
          { ...query, group_by: by, ...sinceOf(span) },
          { onAnswer: noteRate },
        );
        return { items: items.map(broughtRow), nextCursor };
      },
      everyMs: () => EVERY_MS,
    }),
  );
}

/** With the total, which the list has not. */
export function useTradedKeys(span: Span): List<TradedRow> & { readonly total: TradedRow | null } {
  const client = useClient();
  const list = useList<TradedRow>({
    name: 'attribution',
    filter: `key ${span}`,
    keyOf: ({ key_id: keyId }) => keyId ?? '',
    read: (query) =>
      client.attribution.rows(
        { ...query, group_by: 'key', ...sinceOf(span) },
        { onAnswer: noteRate },
      ),
    everyMs: () => EVERY_MS,
  });
  return { ...partsOf(list), total: list.rows?.find(({ kind }) => kind === 'total') ?? null };
}

export function revenueKey({
  kind,
  role,
  account_id: account,
  app_id: app,
  day,
}: RevenueRow): string {
  return [kind, role, account, app, day].join(' ');
}

export function attributionKey({ kind, app_id: app, market_id: market, day }: BroughtRow): string {
  return [kind, app, market, day].join(' ');
}

/** The total stands elsewhere on the page. */
function partsOf<Row extends { readonly kind: string }>(list: List<Row>): List<Row> {
  return { ...list, rows: list.rows?.filter(({ kind }) => kind === 'part') ?? null };
}
