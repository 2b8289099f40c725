// All markets: as cards or as a dense list, with the fast rounds above.
import type { Market } from '@sibyl/sdk';
import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { addressIn, isWishedFor, lane, lanes, wishFor } from '../../lane.ts';
import { useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { FastStrip } from './fast-strip.tsx';
import { FilterBar, type View } from './filter-bar.tsx';
import { type Filters, isUsual, readFilters, useFilters } from './filters.ts';
import { CardSkeleton, MarketCard } from './market-card.tsx';
import { MarketRow } from './market-row.tsx';
import { marketsTexts } from './texts.ts';
import { useMarkets } from './use-markets.ts';

export function Page() {
  const t = useTexts(marketsTexts);
  const [filters, change] = useFilters();
  const [view, setView] = useView();
  useSandboxFirst();
  const hasStrip = filters.state === 'active' && filters.type === 'all' && !filters.isWatched;
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">{t('title')}</h1>
      <FilterBar filters={filters} onChange={change} view={view} onView={setView} />
      {hasStrip && <FastStrip />}
      <Markets filters={filters} view={view} hasStrip={hasStrip} onChange={change} />
    </div>
  );
}

interface MarketsProps {
  readonly filters: Filters;
  readonly view: View;
  readonly hasStrip: boolean;
  readonly onChange: (change: Partial<Filters>) => void;
}

function Markets({ filters, view, hasStrip, onChange }: MarketsProps) {
  const t = useTexts(marketsTexts);
  const { markets, error, retry, more, isMoreComing } = useMarkets(filters);
  if (error !== null && markets === null) return <ErrorNote error={error} onRetry={retry} />;
  // What the strip shows already would stand in the list a second time.
  const shown = markets?.filter(({ market_type: type }) => !hasStrip || type !== 'fast') ?? null;
  if (shown?.length === 0) {
    return isUsual(filters) ? (
      <NoneOpen isBesideFast={markets?.length !== 0} onChange={onChange} />
    ) : (
      <None filters={filters} onChange={onChange} />
    );
  }
  return (
    <>
      {view === 'grid' ? <Grid markets={shown} /> : <List markets={shown} />}
      {more !== null && (
        <div className="flex justify-center">
          <Button onClick={more} isBusy={isMoreComing}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  );
}

interface Shown {
  /** Null while they load. */
  readonly markets: readonly Market[] | null;
}

const outlines = Array.from({ length: 9 }, (_, index) => index);

function Grid({ markets }: Shown) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">
      {markets === null
        ? outlines.map((index) => <CardSkeleton key={index} />)
        : markets.map((market) => <MarketCard key={market.market_id} market={market} />)}
    </div>
  );
}

function List({ markets }: Shown) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      {markets === null
        ? outlines.map((index) => (
            <div key={index} className="h-12 border-t border-line first:border-t-0" />
          ))
        : markets.map((market) => <MarketRow key={market.market_id} market={market} />)}
    </div>
  );
}

function None({ filters, onChange }: Pick<MarketsProps, 'filters' | 'onChange'>) {
  const t = useTexts(marketsTexts);
  const { isWatched } = filters;
  return (
    <Empty
      title={t(isWatched ? 'noneWatched' : 'none')}
      action={<Button onClick={() => onChange(readFilters(''))}>{t('clear')}</Button>}
    >
      {t(isWatched ? 'noneWatchedHint' : 'noneHint')}
    </Empty>
  );
}

interface NoneOpenProps extends Pick<MarketsProps, 'onChange'> {
  readonly isBesideFast: boolean;
}

/** Nobody has chosen anything: there is nothing to choose from, and somebody has to begin. */
function NoneOpen({ isBesideFast, onChange }: NoneOpenProps) {
  const t = useTexts(marketsTexts);
  return (
    <Empty
      title={t(isBesideFast ? 'noneBeside' : 'noneOpen')}
      action={
        <div className="flex flex-wrap items-center justify-center gap-4">
          <PageLink to="/create" className="font-semibold text-accent underline underline-offset-2">
            {t('openOne')}
          </PageLink>
          {lane === 'live' && lanes.includes('sandbox') && (
            // Another lane is another exchange: the page loads anew.
            <a
              href={addressIn('sandbox')}
              onClick={() => wishFor('sandbox')}
              className="underline underline-offset-2"
            >
              {t('toSandbox')}
            </a>
          )}
          <Button onClick={() => onChange({ state: 'all' })}>{t('everyState')}</Button>
        </div>
      }
    >
      {t('noneOpenHint')}
    </Empty>
  );
}

const STORED = 'sibyl.view';

function useView(): [View, (view: View) => void] {
  const [view, setView] = useState<View>(() =>
    localStorage.getItem(STORED) === 'list' ? 'list' : 'grid',
  );
  return [
    view,
    (next) => {
      localStorage.setItem(STORED, next);
      setView(next);
    },
  ];
}

/** Strangers begin where nothing costs anything, unless they went to real money on purpose. */
function useSandboxFirst(): void {
  const { status } = useSession();
  const mustGo =
    status === 'visitor' && lane === 'live' && lanes.includes('sandbox') && !isWishedFor('live');
  useEffect(() => {
    if (mustGo) location.replace(addressIn('sandbox') + location.search);
  }, [mustGo]);
}
