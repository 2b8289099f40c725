// A market in a list that knows its id only: the title as a link, and the outcome if the row is about one.

import { marketTitle, nameOf } from '@sibyl/contract/names';
import type { ReactNode } from 'react';
import { useMarket } from '../live/use-market.ts';
import { useLocale } from '../texts/use-texts.ts';
import { PageLink } from './page-link.tsx';
import { Skeleton } from './skeleton.tsx';

interface Props {
  readonly marketId: string;
  readonly outcomeId?: string | null;
  /** What the row says in columns that a phone has no room for. */
  readonly detail?: ReactNode;
}

export function MarketName({ marketId, outcomeId = null, detail }: Props) {
  const locale = useLocale();
  const market = useMarket(marketId);
  return (
    <span className="flex max-w-md min-w-28 flex-col max-sm:py-2">
      <span className="flex min-w-0 gap-x-2 max-sm:flex-col sm:items-center">
        {outcomeId !== null && (
          <span className="max-w-24 shrink-0 self-start truncate rounded-sm bg-accent-soft px-1.5 text-xs leading-5 font-semibold text-accent">
            <bdi>{market === null ? '…' : nameOf(locale, market, outcomeId)}</bdi>
          </span>
        )}
        {market === null ? (
          <Skeleton className="h-5 w-32" />
        ) : (
          <PageLink
            to={`/m/${marketId}`}
            className="min-w-0 hover:underline max-sm:line-clamp-2 sm:truncate"
          >
            <bdi>{marketTitle(locale, market)}</bdi>
          </PageLink>
        )}
      </span>
      {detail !== undefined && <span className="text-xs text-muted sm:hidden">{detail}</span>}
    </span>
  );
}
