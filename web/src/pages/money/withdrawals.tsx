// What was asked for, the newest first: what became of it, and the way to take it back.
import type { Withdrawal } from '@sibyl/sdk';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Empty } from '../../components/empty.tsx';
import { ListTable } from '../../components/list-table.tsx';
import type { Column } from '../../components/table.tsx';
import { exactMoney } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useList } from '../../live/use-list.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { useSubaccountLabel, useTimeColumn } from './movement-columns.tsx';
import { isCancellable, useStateWords } from './state-words.ts';
import { moneyTexts } from './texts.ts';
import { queryNames } from './use-money-news.ts';

const keyOf = (row: Withdrawal): string => row.withdrawal_id;

interface Props {
  /** Whether people pay withdrawals out, rather than a service. */
  readonly isPaidByHand: boolean;
}

export function Withdrawals({ isPaidByHand }: Props) {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const client = useClient();
  const [leaving, setLeaving] = useState<Withdrawal | null>(null);
  const { rows, ...list } = useList<Withdrawal>({
    name: queryNames.withdrawals,
    keyOf,
    read: async ({ limit, cursor }) => {
      const page = await client.withdrawals.list(
        cursor === undefined ? { limit } : { limit, before: cursor },
      );
      return { items: page.withdrawals, nextCursor: page.next_before };
    },
  });
  const columns = useColumns(isPaidByHand, setLeaving);
  return (
    <Card isFlush title={t('withdrawals')}>
      <ListTable
        label={t('withdrawals')}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        list={list}
        empty={<Empty title={t('noWithdrawals')}>{t('noWithdrawalsText')}</Empty>}
      />
      {leaving !== null && (
        <Confirm
          title={t('cancelAmount', { amount: exactMoney(locale, leaving.amount) })}
          action={t('cancelNow')}
          onConfirm={async () => {
            await client.withdrawals.cancel(leaving.withdrawal_id);
            await list.reload();
          }}
          onClose={() => setLeaving(null)}
        >
          <p>{t('cancelText')}</p>
        </Confirm>
      )}
    </Card>
  );
}

function useColumns(
  isPaidByHand: boolean,
  onCancel: (row: Withdrawal) => void,
): readonly Column<Withdrawal>[] {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const inWords = useStateWords(isPaidByHand);
  const labelOf = useSubaccountLabel();
  const time = useTimeColumn<Withdrawal>();
  return [
    time,
    {
      id: 'to',
      title: t('to'),
      cell: (row) => (
        <span className="flex flex-col py-2 sm:min-w-56">
          <span className="wrap-anywhere">{row.destination}</span>
          {row.subaccount_id !== null && (
            <bdi className="text-xs text-muted">
              {t('fromSubaccount', { label: labelOf(row.subaccount_id) })}
            </bdi>
          )}
          <span className="flex flex-col text-xs text-muted sm:hidden">
            <span>{dateTime(locale, row.created_at_ms)}</span>
            <span>{inWords(row)}</span>
            <span className="wrap-anywhere">{row.reference}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      title: t('state'),
      isMinor: true,
      cell: (row) => (
        <span className="flex flex-col py-2">
          <span>{inWords(row)}</span>
          {row.reference !== null && (
            <span className="text-xs wrap-anywhere text-muted">{row.reference}</span>
          )}
        </span>
      ),
    },
    {
      id: 'amount',
      title: t('amount'),
      isFigure: true,
      cell: ({ amount, asset }) => (
        <>
          {exactMoney(locale, amount)} <span className="text-xs text-muted">{asset}</span>
        </>
      ),
    },
    {
      id: 'actions',
      title: <span className="sr-only">{t('actions')}</span>,
      isFigure: true,
      cell: (row) =>
        isCancellable(row) && (
          <Button
            size="small"
            aria-label={t('cancelAmount', { amount: exactMoney(locale, row.amount) })}
            onClick={() => onCancel(row)}
          >
            {t('cancel')}
          </Button>
        ),
    },
  ];
}
