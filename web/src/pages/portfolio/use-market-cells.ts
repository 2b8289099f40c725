// Market and outcome of a row in a file: their ids, and what people call them.
import { marketTitle, nameOf } from '@sibyl/contract/names';
import { useQueryClient } from '@tanstack/react-query';
import { knownMarket } from '../../live/use-market.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale } from '../../texts/use-texts.ts';

export const MARKET_HEADER = ['market_id', 'market_title', 'outcome_id', 'outcome_label'] as const;

interface InMarket {
  readonly market_id: string;
  readonly outcome_id: string;
}

/** The cells under that header. */
export function useMarketCells(): (row: InMarket) => Promise<readonly string[]> {
  const client = useClient();
  const queries = useQueryClient();
  const locale = useLocale();
  return async ({ market_id: marketId, outcome_id: outcomeId }) => {
    const market = await knownMarket(queries, client, marketId);
    return [marketId, marketTitle(locale, market), outcomeId, nameOf(locale, market, outcomeId)];
  };
}
