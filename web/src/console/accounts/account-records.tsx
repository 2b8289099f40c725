// Records of one account, to look into a complaint: orders, trades, statement, deposits, withdrawals, keys and sessions.
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useLane } from '../lane.tsx';
import { useAsk } from '../use-ask.ts';
import { usePages } from '../use-pages.ts';
import {
  depositColumns,
  fillColumns,
  keyColumns,
  ledgerColumns,
  orderColumns,
  sessionColumns,
  withdrawalColumns,
} from './record-columns.tsx';

interface Props {
  readonly accountId: string;
  /** Null for an account without a user, and for subaccounts. */
  readonly userId: string | null;
}

export function AccountRecords({ accountId, userId }: Props) {
  const [shown, setShown] = useState('orders');
  const ofAccount = { accountId };
  const tabs = [
    { id: 'orders', label: 'Orders', content: <Orders {...ofAccount} /> },
    { id: 'trades', label: 'Trades', content: <Fills {...ofAccount} /> },
    { id: 'statement', label: 'Statement', content: <Ledger {...ofAccount} /> },
    { id: 'deposits', label: 'Deposits', content: <Deposits {...ofAccount} /> },
    { id: 'withdrawals', label: 'Withdrawals', content: <Withdrawals {...ofAccount} /> },
    ...(userId === null
      ? []
      : [{ id: 'access', label: 'Keys and sessions', content: <Access userId={userId} /> }]),
  ];
  return (
    <section aria-label={`Records of ${accountId}`} className="rounded-lg border border-line">
      <Tabs label="Records" tabs={tabs} selected={shown} onSelect={setShown} />
    </section>
  );
}

interface OfAccount {
  readonly accountId: string;
}

function usePagesOf<Id extends 'listAccountOrders' | 'listAccountFills' | 'listAccountLedger'>(
  id: Id,
  accountId: string,
) {
  const { lane } = useLane();
  return usePages(id, { params: { account_id: accountId }, query: { lane } });
}

function Orders({ accountId }: OfAccount) {
  const { lane } = useLane();
  const pages = usePagesOf('listAccountOrders', accountId);
  const keyOf = ({ order_id: id }: { readonly order_id: string }) => id;
  return <Records label="Orders" {...pages} columns={orderColumns(lane)} keyOf={keyOf} />;
}

function Fills({ accountId }: OfAccount) {
  const { lane } = useLane();
  const pages = usePagesOf('listAccountFills', accountId);
  // Both sides of a trade may be of one account.
  const keyOf = (fill: { readonly trade_id: string; readonly order_id: string }) =>
    `${fill.trade_id} ${fill.order_id}`;
  return <Records label="Trades" {...pages} columns={fillColumns(lane)} keyOf={keyOf} />;
}

function Ledger({ accountId }: OfAccount) {
  const pages = usePagesOf('listAccountLedger', accountId);
  const keyOf = ({ entry_id: id }: { readonly entry_id: string }) => id;
  return <Records label="Statement" {...pages} columns={ledgerColumns} keyOf={keyOf} />;
}

function Deposits({ accountId }: OfAccount) {
  const { lane } = useLane();
  const input = { params: { account_id: accountId }, query: { lane } };
  const { data, error } = useAsk('listAccountDeposits', input);
  return (
    <Records
      label="Deposits"
      rows={data?.deposits}
      error={error}
      columns={depositColumns}
      keyOf={({ deposit_id: id }) => id}
    />
  );
}

const WITHDRAWALS_SHOWN = 200;

function Withdrawals({ accountId }: OfAccount) {
  const { lane } = useLane();
  const query = { owner: accountId, limit: WITHDRAWALS_SHOWN };
  const { data, error } = useAsk('findWithdrawals', { query }, { isWanted: lane === 'live' });
  return (
    <Records
      label="Withdrawals"
      rows={lane === 'live' ? data : []}
      error={error}
      columns={withdrawalColumns}
      keyOf={({ withdrawal_id: id }) => id}
    />
  );
}

function Access({ userId }: { readonly userId: string }) {
  const { data, error } = useAsk('getUserAccess', { params: { user_id: userId } });
  return (
    <>
      <Records
        label="Keys"
        rows={data?.keys}
        error={error}
        columns={keyColumns}
        keyOf={({ key_id: id }) => id}
      />
      <Records
        label="Sessions"
        rows={data?.sessions}
        error={null}
        columns={sessionColumns}
        keyOf={({ session_id: id }) => id}
      />
    </>
  );
}

interface RecordsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly hasNextPage?: boolean;
  readonly isFetchingNextPage?: boolean;
  readonly fetchNextPage?: () => Promise<unknown>;
}

function Records<Row>({
  label,
  rows,
  error,
  columns,
  keyOf,
  hasNextPage = false,
  isFetchingNextPage = false,
  fetchNextPage,
}: RecordsProps<Row>) {
  if (error !== null) return <ErrorNote error={error} />;
  if (rows === undefined) return <RowOutlines />;
  return (
    <>
      <Table
        label={label}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        empty={<Empty title={`No ${label.toLowerCase()}`} />}
      />
      {hasNextPage && (
        <div className="flex justify-center border-t border-line p-2">
          <Button kind="quiet" isBusy={isFetchingNextPage} onClick={() => fetchNextPage?.()}>
            Load older entries
          </Button>
        </div>
      )}
    </>
  );
}
