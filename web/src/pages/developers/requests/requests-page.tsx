// The log of one's own requests: what was asked, what came back, how long it took.
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { SignInFirst } from '../../../frame/sign-in-first.tsx';
import { useSession } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { ErrorGroups } from '../error-groups.tsx';
import { DevelopersLayout } from '../layout.tsx';
import { LogGaps } from '../log-gaps.tsx';
import { useKeys } from '../use-keys.ts';
import { useRequestSummary } from '../use-request-summary.ts';
import { FilterBar } from './filter-bar.tsx';
import { RequestTable } from './request-table.tsx';
import { requestTexts } from './texts.ts';
import { useFilters } from './use-filters.ts';
import { useRequests } from './use-requests.ts';

export function Page() {
  const t = useTexts(requestTexts);
  const { status } = useSession();
  return (
    <DevelopersLayout title={t('title')}>
      {status === 'signed_in' ? <Log /> : <SignInFirst title={t('need')} text={t('needText')} />}
    </DevelopersLayout>
  );
}

function Log() {
  const t = useTexts(requestTexts);
  const [filters, choose] = useFilters();
  const keys = useKeys();
  const requests = useRequests(filters);
  const { data: summary } = useRequestSummary();
  return (
    <div className="flex flex-col gap-4">
      {summary !== undefined && <LogGaps summary={summary} />}
      <FilterBar filters={filters} keys={keys.rows ?? []} onChoose={choose} />
      <Card
        isFlush
        title={t('newest')}
        aside={
          <Button size="small" onClick={() => requests.reload()}>
            {t('reload')}
          </Button>
        }
      >
        <RequestTable requests={requests} isFiltered={Object.keys(filters).length > 0} />
      </Card>
      {summary !== undefined && summary.errors.length > 0 && (
        <Card title={t('errorsByCode')} isFlush>
          <ErrorGroups groups={summary.errors} />
        </Card>
      )}
    </div>
  );
}
