// Requests as rows.
import { CopyButton } from '../../../components/copy-button.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import type { Column } from '../../../components/table.tsx';
import { latency } from '../../../format/latency.ts';
import { useGo } from '../../../frame/use-go.ts';
import type { List } from '../../../live/use-list.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { When } from '../when.tsx';
import { StatusBadge } from './status-badge.tsx';
import { requestTexts } from './texts.ts';
import type { LoggedRequest } from './use-requests.ts';

interface Props {
  readonly requests: List<LoggedRequest>;
  readonly isFiltered: boolean;
}

export function RequestTable({ requests: { rows, ...list }, isFiltered }: Props) {
  const t = useTexts(requestTexts);
  const locale = useLocale();
  const go = useGo();
  const columns: readonly Column<LoggedRequest>[] = [
    {
      id: 'status',
      title: t('status'),
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: 'path',
      title: t('path'),
      cell: (request) => (
        <PageLink
          to={addressOf(request)}
          className="line-clamp-1 min-w-56 font-mono text-xs break-all hover:underline"
        >
          <span className="font-semibold">{request.method}</span> {request.path}
        </PageLink>
      ),
    },
    {
      id: 'code',
      title: t('code'),
      cell: ({ code }) => <span className="font-mono text-xs whitespace-nowrap">{code}</span>,
    },
    {
      id: 'latency',
      title: t('latency'),
      isFigure: true,
      cell: ({ latency_us: us }) => latency(locale, us),
    },
    {
      id: 'time',
      title: t('time'),
      isFigure: true,
      cell: ({ requested_at_ms: ms }) => <When ms={ms} />,
    },
    {
      id: 'id',
      title: t('requestId'),
      isFigure: true,
      cell: ({ request_id: id }) => <CopyId id={id} />,
    },
  ];
  return (
    <ListTable
      label={t('title')}
      columns={columns}
      rows={rows}
      list={list}
      empty={
        isFiltered ? (
          <Empty title={t('noneFound')} />
        ) : (
          <Empty title={t('none')}>{t('noneText')}</Empty>
        )
      }
      keyOf={({ request_id: id }) => id}
      onOpen={(request) => go(addressOf(request))}
    />
  );
}

function CopyId({ id }: { readonly id: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="font-mono text-xs text-muted">{id.slice(0, 12)}…</code>
      <CopyButton text={id} />
    </span>
  );
}

function addressOf({ request_id: id }: LoggedRequest): string {
  return `/developers/requests/${id}`;
}
