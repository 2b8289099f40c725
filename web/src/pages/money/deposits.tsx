// What has come in, as the statement has it.
import type { LedgerEntry } from '@sibyl/sdk';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ListTable } from '../../components/list-table.tsx';
import type { Column } from '../../components/table.tsx';
import { exactMoney, signedExactMoney } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useList } from '../../live/use-list.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { moneyTexts } from './texts.ts';
import { queryNames } from './use-money-news.ts';

const keyOf = (entry: LedgerEntry): string => entry.entry_id;

export function Deposits() {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const client = useClient();
  const { rows, ...list } = useList<LedgerEntry>({
    name: queryNames.deposits,
    keyOf,
    read: (query) => client.portfolio.ledger({ ...query, reason: 'deposit' }),
  });
  const columns: readonly Column<LedgerEntry>[] = [
    {
      id: 'time',
      title: t('time'),
      cell: (entry) => <span className="text-muted">{dateTime(locale, entry.created_at_ms)}</span>,
    },
    {
      id: 'amount',
      title: t('amount'),
      isFigure: true,
      cell: ({ amount, asset }) => (
        <span className="text-gain">
          {signedExactMoney(locale, amount)} <span className="text-xs text-muted">{asset}</span>
        </span>
      ),
    },
    {
      id: 'after',
      title: t('freeAfter'),
      isFigure: true,
      isMinor: true,
      cell: (entry) => exactMoney(locale, entry.balance_after),
    },
  ];
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
