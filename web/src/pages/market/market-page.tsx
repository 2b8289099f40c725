// One market: what it says, its chart, book and tape, the ticket, and what is one's own in it.

import { marketTitle } from '@sibyl/contract/names';
import { SibylError } from '@sibyl/sdk';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { MarketSkeleton } from './market-skeleton.tsx';
import { MarketView } from './market-view.tsx';
import { marketTexts } from './texts.ts';
import { useMarketNews } from './use-market-news.ts';

export function Page() {
  const { marketId = '' }: { marketId?: string } = useParams({ strict: false });
  // Another market is another page: nothing of the one before may linger in its ticket.
  return <OneMarket key={marketId} marketId={marketId} />;
}

function OneMarket({ marketId }: { readonly marketId: string }) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const { market, error, retry, haltReason } = useMarketNews(marketId);
  const title = market === null ? undefined : marketTitle(locale, market);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language sets the title of the page anew
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Sibyl`;
  }, [title, locale]);
  if (market === null && isUnknown(error)) {
    return (
      <Empty
        title={t('unknown')}
        action={
          <PageLink to="/" className="font-semibold text-accent underline">
            {t('allMarkets')}
          </PageLink>
        }
      >
        {t('unknownHint')}
      </Empty>
    );
  }
  if (market === null) {
    return error === null ? <MarketSkeleton /> : <ErrorNote error={error} onRetry={retry} />;
  }
  return <MarketView market={market} haltReason={haltReason} />;
}

/** No such market, or what stands in the address is no id. */
function isUnknown(error: unknown): boolean {
  return error instanceof SibylError && (error.status === 404 || error.status === 400);
}
