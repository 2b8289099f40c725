// What was traded under each of the reader's own keys.
import { Amount } from '../../../components/amount.tsx';
import { Card } from '../../../components/card.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import type { Column } from '../../../components/table.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { revenueTexts } from './texts.ts';
import { type Span, type TradedRow, useTradedKeys } from './use-earnings.ts';

export function Traded({ span }: { readonly span: Span }) {
  const t = useTexts(revenueTexts);
  const { rows, total, ...list } = useTradedKeys(span);
  const columns: readonly Column<TradedRow>[] = [
    { id: 'key', title: t('key'), cell: (row) => <KeyName row={row} /> },
    {
      id: 'volume',
      title: t('volume'),
      cell: ({ volume }) => <Amount amount={volume} />,
      isFigure: true,
    },
  ];
  return (
    <Card
      title={t('traded')}
      isFlush
      aside={
        total !== null && (
          <span>
            <span className="mr-2 text-muted">{t('volume')}</span>
            <Amount amount={total.volume} />
          </span>
        )
      }
    >
      <ListTable
        label={t('traded')}
        columns={columns}
        rows={rows}
        keyOf={({ key_id: keyId }) => keyId ?? ''}
        list={list}
        empty={
          <Empty
            title={t('nothingTraded')}
            action={
              <PageLink to="/developers/keys" className="text-accent underline underline-offset-2">
                {t('toKeys')}
              </PageLink>
            }
          >
            {t('nothingTradedText')}
          </Empty>
        }
      />
    </Card>
  );
}

function KeyName({ row: { key_id: keyId, label } }: { readonly row: TradedRow }) {
  return (
    <span className="flex flex-col py-2">
      {label !== null && label !== '' && <bdi className="wrap-anywhere">{label}</bdi>}
      <code className="font-mono text-xs text-muted">{keyId}</code>
    </span>
  );
}
