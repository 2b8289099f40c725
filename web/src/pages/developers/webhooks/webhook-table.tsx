// Endpoints as rows.
import { Empty } from '../../../components/empty.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import type { Column } from '../../../components/table.tsx';
import { useGo } from '../../../frame/use-go.ts';
import type { List } from '../../../live/use-list.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { developerTexts } from '../texts.ts';
import { When } from '../when.tsx';
import { webhookTexts } from './texts.ts';
import type { Webhook } from './use-webhooks.ts';
import { WebhookBadge } from './webhook-badge.tsx';

export function WebhookTable({ webhooks }: { readonly webhooks: List<Webhook> }) {
  const t = useTexts(webhookTexts);
  const shared = useTexts(developerTexts);
  const go = useGo();
  const { rows, ...list } = webhooks;
  const columns: readonly Column<Webhook>[] = [
    { id: 'url', title: t('url'), cell: (webhook) => <Address webhook={webhook} /> },
    { id: 'state', title: t('state'), cell: ({ status }) => <WebhookBadge status={status} /> },
    {
      id: 'events',
      title: t('events'),
      cell: ({ event_types: types }) => (
        <span title={types.join(', ')} className="whitespace-nowrap">
          {t('eventCount', { count: types.length })}
        </span>
      ),
    },
    {
      id: 'failures',
      title: '',
      cell: ({ failure_streak: count }) =>
        count > 0 && (
          <span className="whitespace-nowrap text-loss">{t('failures', { count })}</span>
        ),
    },
    {
      id: 'last',
      title: t('lastDelivery'),
      isFigure: true,
      cell: ({ last_delivery_at_ms: ms }) =>
        ms === null ? <span className="text-muted">{shared('never')}</span> : <When ms={ms} />,
    },
  ];
  return (
    <ListTable
      label={t('title')}
      columns={columns}
      rows={rows}
      list={list}
      empty={<Empty title={t('none')}>{t('noneText')}</Empty>}
      keyOf={({ webhook_id: id }) => id}
      onOpen={({ webhook_id: id }) => go(`/developers/webhooks/${id}`)}
    />
  );
}

function Address({ webhook }: { readonly webhook: Webhook }) {
  const { url, description, webhook_id: id } = webhook;
  return (
    <div className="min-w-48 py-2">
      <PageLink
        to={`/developers/webhooks/${id}`}
        className="line-clamp-1 font-mono text-xs font-semibold break-all hover:underline"
      >
        {url}
      </PageLink>
      <p dir="auto" className="line-clamp-1 text-xs text-muted">
        {description}
      </p>
    </div>
  );
}
