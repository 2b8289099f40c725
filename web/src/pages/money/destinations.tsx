// Where withdrawals may go: added, waited for, removed.
import type { Destination } from '@sibyl/sdk';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { dateTime, duration } from '../../format/times.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { DestinationDialog } from './destination-dialog.tsx';
import { moneyTexts } from './texts.ts';
import type { KnownDestinations } from './use-destinations.ts';

export function Destinations({ destinations }: { readonly destinations: KnownDestinations }) {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const client = useClient();
  const { list, delayMs, error, reload } = destinations;
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Destination | null>(null);
  const columns = useColumns(setLeaving);
  const adder = (
    <Button size="small" onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  );
  const delay = delayMs === 0 ? '' : t('delay', { time: duration(locale, delayMs) });
  return (
    <Card isFlush title={t('destinations')} aside={adder}>
      {error !== null && (
        <div className="p-4">
          <ErrorNote
            error={error}
            onRetry={() => {
              reload().catch(() => undefined);
            }}
          />
        </div>
      )}
      {error === null && list === null && <RowOutlines />}
      {list !== null && list.length === 0 && (
        <Empty title={t('noDestinations')}>
          {t('noDestinationsText')} {delay}
        </Empty>
      )}
      {list !== null && list.length > 0 && (
        <Table
          label={t('destinations')}
          columns={columns}
          rows={list}
          keyOf={({ destination_id: id }) => id}
        />
      )}
      {isAdding && (
        <DestinationDialog note={delay} onAdded={reload} onClose={() => setAdding(false)} />
      )}
      {leaving !== null && (
        <Confirm
          title={t('removeOne', { label: leaving.label })}
          action={t('remove')}
          onConfirm={async () => {
            await client.destinations.remove(leaving.destination_id);
            await reload();
          }}
          onClose={() => setLeaving(null)}
        >
          <p>{t('removeText')}</p>
        </Confirm>
      )}
    </Card>
  );
}

function useColumns(onRemove: (one: Destination) => void): readonly Column<Destination>[] {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  return [
    {
      id: 'destination',
      title: t('destination'),
      cell: (each) => (
        <span className="flex min-w-32 flex-col py-2">
          <bdi className="font-semibold wrap-anywhere">{each.label}</bdi>
          <span className="text-xs wrap-anywhere text-muted">{each.destination}</span>
        </span>
      ),
    },
    {
      id: 'state',
      title: t('state'),
      cell: ({ is_usable: isUsable, usable_from_at_ms: fromMs }) => (
        <span className="block min-w-20">
          {isUsable ? t('usable') : t('usableFrom', { time: dateTime(locale, fromMs) })}
        </span>
      ),
    },
    {
      id: 'actions',
      title: <span className="sr-only">{t('actions')}</span>,
      isFigure: true,
      cell: (each) => (
        <Button
          size="small"
          aria-label={t('removeOne', { label: each.label })}
          onClick={() => onRemove(each)}
        >
          {t('remove')}
        </Button>
      ),
    },
  ];
}
