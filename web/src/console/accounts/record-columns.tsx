// Columns of the records of an account; amounts are shown to the last unit, since a complaint may be about it.
import { labelOf, type OperatorOperations, type OutputOf } from '@sibyl/contract/console';
import { Badge } from '../../components/badge.tsx';
import { PageLink } from '../../components/page-link.tsx';
import type { Column } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import type { Lane } from '../lane.tsx';

type Order = OutputOf<OperatorOperations['listAccountOrders']>[number];
type Fill = OutputOf<OperatorOperations['listAccountFills']>[number];
type Entry = OutputOf<OperatorOperations['listAccountLedger']>[number];
type Deposit = OutputOf<OperatorOperations['listAccountDeposits']>['deposits'][number];
type Withdrawal = OutputOf<OperatorOperations['findWithdrawals']>[number];
type Key = OutputOf<OperatorOperations['getUserAccess']>['keys'][number];
type Session = OutputOf<OperatorOperations['getUserAccess']>['sessions'][number];

/** On a phone the table scrolls: a time in pieces is unreadable. */
const line = (text: string) => <span className="whitespace-nowrap">{text}</span>;

const when = (ms: number | null) => line(ms === null ? 'never' : dateTime('en', ms));

/** The columns that orders and trades share. */
function tradedColumns<
  Row extends { market_id: string; outcome_id: string; side: string; size: string },
>(lane: Lane): readonly Column<Row>[] {
  return [
    {
      id: 'market',
      title: 'Market',
      cell: ({ market_id: id }) => (
        <PageLink to={`/${lane}/markets/${id}`} className="underline">
          <code className="text-xs">{id}</code>
        </PageLink>
      ),
    },
    {
      id: 'what',
      title: 'Side',
      cell: ({ side, outcome_id: outcome }) => line(`${labelOf(side)} ${outcome}`),
    },
    { id: 'size', title: 'Shares', isFigure: true, cell: ({ size }) => size },
  ];
}

export const orderColumns = (lane: Lane): readonly Column<Order>[] => [
  { id: 'when', title: 'Placed', cell: ({ created_at_ms: atMs }) => when(atMs) },
  ...tradedColumns<Order>(lane),
  { id: 'price', title: 'Price', isFigure: true, cell: ({ price }) => price ?? 'market' },
  {
    id: 'filled',
    title: 'Filled',
    isFigure: true,
    cell: ({ filled_size: size, avg_fill_price: average }) =>
      average === null ? size : `${size} at ${average}`,
  },
  { id: 'fee', title: 'Fee', isFigure: true, isMinor: true, cell: ({ fee_paid: fee }) => fee },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status, cancel_reason: reason }) => (
      <span className="flex flex-col items-start">
        <Badge>{labelOf(status)}</Badge>
        {reason !== null && <span className="text-xs text-muted">{labelOf(reason)}</span>}
      </span>
    ),
  },
  {
    id: 'id',
    title: 'Order',
    isMinor: true,
    cell: ({ order_id: id }) => <code className="text-xs">{id}</code>,
  },
];

export const fillColumns = (lane: Lane): readonly Column<Fill>[] => [
  { id: 'when', title: 'Time', cell: ({ ts_ms: atMs }) => when(atMs) },
  ...tradedColumns<Fill>(lane),
  { id: 'price', title: 'Price', isFigure: true, cell: ({ price }) => price },
  { id: 'cost', title: 'Cost', isFigure: true, cell: ({ cost }) => cost },
  { id: 'fee', title: 'Fee', isFigure: true, isMinor: true, cell: ({ fee }) => fee },
  { id: 'role', title: 'Role', isMinor: true, cell: ({ liquidity }) => labelOf(liquidity) },
  {
    id: 'id',
    title: 'Order',
    isMinor: true,
    cell: ({ order_id: id }) => <code className="text-xs">{id}</code>,
  },
];

export const ledgerColumns: readonly Column<Entry>[] = [
  { id: 'when', title: 'Time', cell: ({ created_at_ms: atMs }) => when(atMs) },
  { id: 'reason', title: 'Reason', cell: ({ reason }) => line(labelOf(reason)) },
  {
    id: 'amount',
    title: 'Amount',
    isFigure: true,
    // Shares have an outcome and no asset.
    cell: ({ amount, asset, outcome_id: outcome }) =>
      line(`${amount} ${asset ?? `shares of ${outcome}`}`),
  },
  { id: 'bucket', title: 'Balance', cell: ({ bucket }) => line(labelOf(bucket)) },
  { id: 'after', title: 'After', isFigure: true, cell: ({ balance_after: after }) => after },
  {
    id: 'ref',
    title: 'Reference',
    isMinor: true,
    cell: ({ ref_id: ref }) => <code className="text-xs break-all">{ref}</code>,
  },
];

export const depositColumns: readonly Column<Deposit>[] = [
  { id: 'when', title: 'Time', cell: ({ created_at_ms: atMs }) => when(atMs) },
  {
    id: 'amount',
    title: 'Amount',
    isFigure: true,
    cell: ({ amount, asset }) => `${amount} ${asset}`,
  },
  { id: 'state', title: 'State', cell: ({ state }) => <Badge>{labelOf(state)}</Badge> },
  { id: 'ref', title: 'Reference', cell: ({ tx_ref: ref }) => ref ?? '' },
];

export const withdrawalColumns: readonly Column<Withdrawal>[] = [
  { id: 'when', title: 'Requested', cell: ({ created_at_ms: atMs }) => when(atMs) },
  {
    id: 'amount',
    title: 'Amount',
    isFigure: true,
    cell: ({ amount, asset }) => `${amount} ${asset}`,
  },
  { id: 'to', title: 'To', cell: ({ destination }) => destination },
  { id: 'state', title: 'State', cell: ({ state }) => <Badge>{labelOf(state)}</Badge> },
  {
    id: 'id',
    title: 'Withdrawal',
    cell: ({ withdrawal_id: id }) => (
      <PageLink to={`/live/withdrawals/${id}`} className="underline">
        <code className="text-xs">{id}</code>
      </PageLink>
    ),
  },
];

export const keyColumns: readonly Column<Key>[] = [
  {
    id: 'key',
    title: 'Key',
    cell: ({ key_id: id, label }) => (
      <span className="flex flex-col">
        <span>{label}</span>
        <code className="text-xs break-all text-muted">{id}</code>
      </span>
    ),
  },
  { id: 'status', title: 'Status', cell: ({ status }) => <Badge>{labelOf(status)}</Badge> },
  { id: 'rights', title: 'Permissions', cell: ({ permissions }) => permissions.join(', ') },
  { id: 'lane', title: 'Lane', isMinor: true, cell: ({ environment: lane }) => lane },
  { id: 'tier', title: 'Tier', isMinor: true, cell: ({ tier }) => labelOf(tier) },
  { id: 'made', title: 'Created', isMinor: true, cell: ({ created_at_ms: atMs }) => when(atMs) },
  { id: 'used', title: 'Last used', cell: ({ last_used_at_ms: atMs }) => when(atMs) },
];

export const sessionColumns: readonly Column<Session>[] = [
  { id: 'device', title: 'Device', cell: ({ device }) => (device === '' ? 'unknown' : device) },
  { id: 'network', title: 'Network', cell: ({ network }) => network },
  { id: 'since', title: 'Signed in', cell: ({ created_at_ms: atMs }) => when(atMs) },
  { id: 'seen', title: 'Last seen', cell: ({ last_seen_at_ms: atMs }) => when(atMs) },
];
