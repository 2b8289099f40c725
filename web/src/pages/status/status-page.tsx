// How each lane does now, how the last 90 days went, and what was the matter.
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Icon } from '../../components/icon.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { basePath } from '../../lane.ts';
import { useClient } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { AnnouncementList } from './announcement-list.tsx';
import { IncidentList } from './incident-list.tsx';
import { LaneCard } from './lane-card.tsx';
import { statusTexts } from './texts.ts';

const EVERY_MS = 15_000;

export function Page() {
  const t = useTexts(statusTexts);
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['status', basePath],
    queryFn: () => client.system.status(),
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-4">
      <header className="flex min-h-9 flex-wrap items-center gap-3">
        <h1 className="text-lg font-semibold">{t('title')}</h1>
        {data !== undefined && <Overall isWell={data.state === 'ok'} />}
      </header>
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {error === null && data === undefined && (
        <>
          <Skeleton className="h-44 w-full" />
          <Skeleton className="h-44 w-full" />
        </>
      )}
      {data?.lanes.map((lane) => (
        <LaneCard key={lane.environment} lane={lane} />
      ))}
      {data !== undefined && data.announcements.length > 0 && (
        <Card title={t('announced')} isFlush>
          <AnnouncementList announcements={data.announcements} />
        </Card>
      )}
      {data !== undefined && (
        <Card title={t('incidents')} isFlush>
          {data.incidents.length === 0 ? (
            <Empty title={t('none')} />
          ) : (
            <IncidentList incidents={data.incidents} />
          )}
        </Card>
      )}
    </div>
  );
}

function Overall({ isWell }: { readonly isWell: boolean }) {
  const t = useTexts(statusTexts);
  return (
    <p
      role="status"
      className={`flex items-center gap-2 rounded-md px-3 py-1.5 font-semibold ${isWell ? 'bg-gain-soft text-gain' : 'bg-warn-soft text-warn'}`}
    >
      <Icon name={isWell ? 'check' : 'warn'} />
      {t(isWell ? 'allWell' : 'notWell')}
    </p>
  );
}
