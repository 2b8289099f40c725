// What was sent to an endpoint: each event with its attempts; one of them whole beside the list.
import { useState } from 'react';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Card } from '../../../components/card.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import { Select } from '../../../components/select.tsx';
import type { Column } from '../../../components/table.tsx';
import { type List, useList } from '../../../live/use-list.ts';
import { useClient } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { noteRate } from '../rates.ts';
import { When } from '../when.tsx';
import { wordOf } from '../word-of.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import { webhookTexts } from './texts.ts';
import type { Delivery, Webhook } from './use-webhooks.ts';

const ANY = 'any';
const states = ['succeeded', 'retrying', 'exhausted', 'pending', 'waiting', 'dropped'] as const;
type State = (typeof states)[number];

const deliveryTones: Readonly<Record<string, Tone>> = {
  succeeded: 'gain',
  retrying: 'warn',
  exhausted: 'loss',
  dropped: 'loss',
};

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  const [state, setState] = useState<State | typeof ANY>(ANY);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { rows, ...list } = useDeliveries(webhook.webhook_id, state === ANY ? null : state);
  const columns = useColumns(setChosenId);
  const chosen = rows?.find(({ delivery_id: id }) => id === chosenId);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card
        isFlush
        title={t('deliveries')}
        aside={
          <Select
            label={t('state')}
            value={state}
            choices={[
              { value: ANY, label: t('anyState') },
              ...states.map((value) => ({ value, label: t(value) })),
            ]}
            onChoose={setState}
          />
        }
      >
        <ListTable
          label={t('deliveries')}
          columns={columns}
          rows={rows}
          list={list}
          keyOf={keyOf}
          onOpen={({ delivery_id: id }) => setChosenId(id)}
          empty={<Empty title={t('noDeliveries')}>{t('noDeliveriesText')}</Empty>}
        />
      </Card>
      {chosen === undefined ? (
        <p className="hidden p-4 text-muted xl:block">{t('chooseDelivery')}</p>
      ) : (
        <DeliveryPanel webhook={webhook} delivery={chosen} />
      )}
    </div>
  );
}

const PAGE = 50;
const keyOf = ({ delivery_id: id }: Delivery): string => id;
/** What is on its way changes soon; what is not, seldom. Each look is a request that the log has to keep. */
const SOON_MS = 1_500;
const LATER_MS = 15_000;

function useDeliveries(webhookId: string, status: State | null): List<Delivery> {
  const client = useClient();
  return useList({
    name: 'deliveries',
    filter: `${webhookId} ${status ?? ANY}`,
    keyOf,
    read: (query) =>
      client.webhooks.deliveries(
        webhookId,
        { ...query, limit: PAGE, ...(status !== null && { status }) },
        { onAnswer: noteRate },
      ),
    everyMs: (rows) => (rows.some(isOnItsWay) ? SOON_MS : LATER_MS),
  });
}

function isOnItsWay({ status, next_attempt_at_ms: nextMs }: Delivery): boolean {
  return status === 'pending' || (nextMs !== null && nextMs - Date.now() < SOON_MS * 4);
}

function useColumns(onChoose: (deliveryId: string) => void): readonly Column<Delivery>[] {
  const t = useTexts(webhookTexts);
  return [
    {
      id: 'event',
      title: t('event'),
      cell: ({ event_type: type, delivery_id: id }) => (
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation();
            onChoose(id);
          }}
          className="font-mono text-xs font-semibold whitespace-nowrap hover:underline"
        >
          {type}
        </button>
      ),
    },
    {
      id: 'state',
      title: t('state'),
      cell: ({ status }) => (
        <Badge tone={deliveryTones[status] ?? 'neutral'}>{wordOf(t, webhookTexts, status)}</Badge>
      ),
    },
    {
      id: 'attempts',
      title: t('attempts'),
      isFigure: true,
      cell: ({ attempts }) => attempts.length,
    },
    {
      id: 'number',
      title: t('number'),
      isFigure: true,
      cell: ({ sequence }) => sequence,
    },
    {
      id: 'time',
      title: t('time'),
      isFigure: true,
      cell: ({ created_at_ms: ms }) => <When ms={ms} />,
    },
  ];
}
