// Columns of the lists that a preview of a cancellation has.
import type { Column } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import type { Preview } from './cancellation.tsx';

type Holder = Preview['gainers'][number];

export const holderColumns: readonly Column<Holder>[] = [
  {
    id: 'account',
    title: 'Account',
    cell: ({ account_id: id }) => <code className="text-xs">{id}</code>,
  },
  { id: 'gain', title: 'Gain', isFigure: true, cell: ({ gain }) => gain },
  { id: 'payout', title: 'Receives', isFigure: true, cell: ({ payout }) => payout },
  { id: 'cost', title: 'Shares cost', isFigure: true, cell: ({ cost }) => cost },
  { id: 'paid', title: 'Paid', isFigure: true, isMinor: true, cell: ({ paid }) => paid },
  {
    id: 'received',
    title: 'Received',
    isFigure: true,
    isMinor: true,
    cell: ({ received }) => received,
  },
  { id: 'shares', title: 'Shares', cell: ({ shares }) => sharesOf(shares) },
  { id: 'bought', title: 'Bought', isMinor: true, cell: boughtOf },
  { id: 'against', title: 'From', isMinor: true, cell: ({ against }) => againstOf(against) },
];

function sharesOf(shares: Holder['shares']): string {
  return shares
    .filter(({ size }) => Number(size) > 0)
    .map(({ outcome_id: id, size }) => `${size} ${id}`)
    .join(', ');
}

function boughtOf({ bought_first_at_ms: first, bought_last_at_ms: last }: Holder): string {
  if (first === null || last === null) return 'never';
  return first === last
    ? dateTime('en', first)
    : `${dateTime('en', first)} to ${dateTime('en', last)}`;
}

function againstOf(against: Holder['against']): string {
  return against.map(({ account_id: id, bought }) => `${id ?? 'the pool'} ${bought}`).join(', ');
}

export const lateColumns: readonly Column<Preview['late_trades'][number]>[] = [
  {
    id: 'family',
    title: 'Family',
    cell: ({ family }) => <code className="text-xs">{family}</code>,
  },
  { id: 'bought', title: 'Bought', isFigure: true, cell: ({ bought }) => bought },
  { id: 'sold', title: 'Sold', isFigure: true, cell: ({ sold }) => sold },
  { id: 'gain', title: 'Gain at the payout', isFigure: true, cell: ({ gain }) => gain },
];
