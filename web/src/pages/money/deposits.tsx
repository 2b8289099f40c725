// What comes in, the newest first: on its way, credited, or not arrived.
import type { Deposit } from '@sibyl/sdk';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ListTable } from '../../components/list-table.tsx';
import type { Column } from '../../components/table.tsx';
import { exactMoney, signedExactMoney } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useList } from '../../live/use-list.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { useSubaccountLabel, useTimeColumn } from './movement-columns.tsx';
import { useDepositWords } from './state-words.ts';
import { moneyTexts } from './texts.ts';
import { queryNames } from './use-money-news.ts';

const keyOf = (row: Deposit): string => row.deposit_id;

export function Deposits() {
  const t = useTexts(moneyTexts);
  const client = useClient();
  const { rows, ...list } = useList<Deposit>({
    name: queryNames.deposits,
    keyOf,
    read: async ({ limit, cursor }) => {
      const page = await client.deposits.list(
        cursor === undefined ? { limit } : { limit, before: cursor },
      );
      return { items: page.deposits, nextCursor: page.next_before };
    },
  });
  const columns = useColumns();
  return (
    <Card isFlush title={t('deposits')}>
      <ListTable
        label={t('deposits')}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        list={list}
        empty={<Empty title={t('noDeposits')}>{t('noDepositsText')}</Empty>}
      />
    </Card>
  );
}

function useColumns(): readonly Column<Deposit>[] {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const inWords = useDepositWords();
  const labelOf = useSubaccountLabel();
  const time = useTimeColumn<Deposit>();
  return [
    time,
    {
      id: 'reference',
      title: t('reference'),
      cell: (row) => (
        <span className="flex flex-col py-2">
          <span className="wrap-anywhere">{row.tx_ref}</span>
          {row.subaccount_id !== null && (
            <bdi className="text-xs text-muted">
              {t('toSubaccount', { label: labelOf(row.subaccount_id) })}
            </bdi>
          )}
          <span className="flex flex-col text-xs text-muted sm:hidden">
            <span>{dateTime(locale, row.created_at_ms)}</span>
            <span className="wrap-anywhere">{inWords(row)}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      title: t('state'),
      isMinor: true,
      cell: (row) => <span className="wrap-anywhere">{inWords(row)}</span>,
    },
    {
      id: 'amount',
      title: t('amount'),
      isFigure: true,
      cell: ({ amount, asset, state }) => (
        <span className={state === 'confirmed' ? 'text-gain' : 'text-muted'}>
          {state === 'confirmed' ? signedExactMoney(locale, amount) : exactMoney(locale, amount)}{' '}
          <span className="text-xs text-muted">{asset}</span>
        </span>
      ),
    },
  ];
}
