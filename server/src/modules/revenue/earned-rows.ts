// Earnings put together: by day, app, market or actor with a total, and one by one as fills.
import { addEarned, type Earned, type EarningHistory, NOTHING_EARNED } from '@sibyl/history';
import { cutPage } from '../../handling/cut-page.ts';
import type { Page } from '../../handling/handler.ts';
import { tradeIdText } from '../../wire/ids.ts';
import type { Earner } from './earners.ts';
import { dayText, type Range } from './range.ts';

export type Grouping = 'fill' | 'day' | 'app' | 'market' | 'actor';

/** What a row is of; null for what it is not broken down by. */
export interface Place {
  readonly earner: Earner | null;
  readonly marketId: string | null;
  readonly day: string | null;
  readonly tradeId: string | null;
  readonly atMs: number | null;
}

export interface EarnedRow extends Place {
  readonly isTotal: boolean;
  readonly earned: Earned;
  /** Of all time: accrued, and neither given back nor credited; null for a day or a fill. */
  readonly pending: bigint | null;
}

export interface EarnedPage {
  readonly rows: readonly EarnedRow[];
  readonly nextCursor: string | null;
}

const NOWHERE: Place = { earner: null, marketId: null, day: null, tradeId: null, atMs: null };

export async function earnedPage(
  history: EarningHistory,
  earners: readonly Earner[],
  grouping: Grouping,
  range: Range,
  page: Page,
): Promise<EarnedPage> {
  const groups = await groupsOf(history, earners, grouping, range);
  const total = page.after === null ? [totalOf(groups)] : [];
  const found =
    grouping === 'fill'
      ? await fillsOf(history, earners, range, page)
      : pageOf([...groups.values()], range, page);
  return { rows: [...total, ...found.rows], nextCursor: found.nextCursor };
}

interface Group extends Place {
  /** By which pages go on. */
  readonly key: string;
  earned: Earned;
  pending: bigint;
}

/** All of each earner's time is read: what is pending is of all of it. Every day has a row, for charts. */
async function groupsOf(
  history: EarningHistory,
  earners: readonly Earner[],
  grouping: Grouping,
  { firstDay, lastDay }: Range,
): Promise<ReadonlyMap<string, Group>> {
  const groups = new Map<string, Group>();
  for (let day = firstDay; grouping === 'day' && day <= lastDay; day += 1) {
    const key = dayText(day);
    groups.set(key, { ...NOWHERE, day: key, key, earned: NOTHING_EARNED, pending: 0n });
  }
  for (const earner of earners) {
    const always = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER };
    for (const sum of await history.sums({ earner: earner.name, ...always })) {
      const place = placeOf(grouping, earner, sum.marketId, dayText(sum.day));
      const key = keyOf(place);
      const group = groups.get(key) ?? { ...place, key, earned: NOTHING_EARNED, pending: 0n };
      group.pending += sum.accrued - sum.returned - sum.credited;
      const isWanted = sum.day >= firstDay && sum.day <= lastDay;
      if (isWanted) group.earned = addEarned(group.earned, sum);
      groups.set(key, group);
    }
  }
  return groups;
}

function placeOf(grouping: Grouping, earner: Earner, marketId: string | null, day: string): Place {
  switch (grouping) {
    case 'day':
      return { ...NOWHERE, day };
    case 'market':
      return { ...NOWHERE, marketId };
    case 'app':
    case 'actor':
      return { ...NOWHERE, earner };
    case 'fill':
      return NOWHERE;
  }
}

function keyOf({ earner, marketId, day }: Place): string {
  return day ?? marketId ?? earner?.name ?? '';
}

function totalOf(groups: ReadonlyMap<string, Group>): EarnedRow {
  let earned = NOTHING_EARNED;
  let pending = 0n;
  for (const group of groups.values()) {
    earned = addEarned(earned, group.earned);
    pending += group.pending;
  }
  return { ...NOWHERE, isTotal: true, earned, pending };
}

/** But for days, groups in which nothing happened in that time are left out, unless something is pending in them. */
function pageOf(groups: readonly Group[], range: Range, page: Page): EarnedPage {
  const after = page.after === null ? null : String(page.after[0]);
  const rest = groups
    .filter((group) => isShown(group, range))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .filter(({ key }) => after === null || key > after);
  const { shown, nextCursor } = cutPage(rest, page, ({ key }) => [key]);
  return {
    rows: shown.map(({ key: _key, pending, ...group }) => ({
      ...group,
      isTotal: false,
      pending: group.earner === null ? null : pending,
    })),
    nextCursor,
  };
}

function isShown({ earned, pending, earner, day }: Group, { firstDay, lastDay }: Range): boolean {
  if (day !== null) return day >= dayText(firstDay) && day <= dayText(lastDay);
  return hasMoved(earned) || (earner !== null && pending > 0n);
}

function hasMoved({ accrued, returned, credited, fills }: Earned): boolean {
  return fills > 0 || accrued !== 0n || returned !== 0n || credited !== 0n;
}

/** Newest first, of all earners together; a trade may be there for several of them. */
async function fillsOf(
  history: EarningHistory,
  earners: readonly Earner[],
  { fromMs, toMs }: Range,
  page: Page,
): Promise<EarnedPage> {
  const [lastTrade, lastName = ''] = page.after ?? [];
  const before = lastTrade === undefined ? null : Number(lastTrade) + 1;
  const isShown = (tradeId: number, name: string): boolean =>
    before !== null && tradeId === before - 1 && name <= String(lastName);
  const found: { readonly row: EarnedRow; readonly tradeId: number; readonly name: string }[] = [];
  for (const earner of earners) {
    const filter = { earner: earner.name, fromMs, toMs, before };
    const { rows } = await history.fills(filter, page.limit + 2);
    for (const { tradeId, marketId, atMs, cost, accrued } of rows) {
      if (isShown(tradeId, earner.name)) continue;
      const earned = { ...NOTHING_EARNED, fills: 1, volume: cost, accrued };
      const place = { ...NOWHERE, earner, marketId, tradeId: tradeIdText(tradeId), atMs };
      const row = { ...place, isTotal: false, earned, pending: null };
      found.push({ row, tradeId, name: earner.name });
    }
  }
  found.sort((a, b) => b.tradeId - a.tradeId || (a.name < b.name ? -1 : 1));
  const { shown, nextCursor } = cutPage(found, page, ({ tradeId, name }) => [tradeId, name]);
  return { rows: shown.map(({ row }) => row), nextCursor };
}
