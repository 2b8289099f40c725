// The bars of a chart: read once for its window, then kept current by the stream.
import type { FrameOn, Market } from '@sibyl/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { basePath } from '../../../lane.ts';
import { useStream } from '../../../live/use-live.ts';
import { useClient } from '../../../session/use-session.ts';
import {
  type Bar,
  barOf,
  barsOfBoth,
  type ChartKind,
  isTraded,
  type Span,
  stretchOf,
  turnedOver,
  windowOf,
  withMinute,
} from './spans.ts';

export type BarsByOutcome = ReadonlyMap<string, readonly Bar[]>;

interface Asked {
  readonly bars: BarsByOutcome;
  readonly window: ReturnType<typeof windowOf>;
}

export function useBars(
  market: Market,
  outcomeIds: readonly string[],
  span: Span,
  kind: ChartKind,
) {
  const client = useClient();
  const queries = useQueryClient();
  const { market_id: marketId } = market;
  const queryKey = ['bars', basePath, marketId, span, kind, ...outcomeIds];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Asked> => {
      const window = windowOf(market, span, kind, Date.now());
      const { fromMs, interval } = window;
      const bars = await Promise.all(
        outcomeIds.map(async (outcomeId) => {
          const read = async (id: string) => {
            const asked = { outcome_id: id, interval: interval.name, ...stretchOf(window) };
            const { items } = await client.markets.candles(marketId, asked, { signal });
            return items.filter(({ ts_ms: startMs }) => startMs >= fromMs);
          };
          const otherId = otherSide(market, outcomeId);
          if (otherId === null) return [outcomeId, (await read(outcomeId)).map(barOf)] as const;
          const [own, other] = await Promise.all([read(outcomeId), read(otherId)]);
          return [outcomeId, barsOfBoth(own, other)] as const;
        }),
      );
      return { bars: new Map(bars), window };
    },
    placeholderData: (before, query) => (query?.queryKey[2] === marketId ? before : undefined),
  });
  useStream(
    `ticker:${marketId}`,
    (frame: FrameOn<'ticker'>) => {
      if (frame.type !== 'candle_update') return;
      queries.setQueryData<Asked>(
        queryKey,
        (before) => before && after(market, before, frame.data),
      );
    },
    (isAfterGap) => {
      if (isAfterGap) refetch();
    },
  );
  return {
    bars: data?.bars ?? null,
    interval: data?.window.interval ?? null,
    error,
    retry: () => refetch(),
  };
}

type Update = Extract<FrameOn<'ticker'>, { type: 'candle_update' }>['data'];

function after(market: Market, { bars, window }: Asked, update: Update): Asked {
  const { outcome_id: tradedId } = update;
  const otherId = otherSide(market, tradedId);
  const next = new Map(bars);
  const grow = (id: string, minute: Bar): void => {
    const known = bars.get(id);
    if (known !== undefined) next.set(id, withMinute(known, minute, window.interval));
  };
  if (otherId === null || isTraded(update)) grow(tradedId, barOf(update));
  if (otherId !== null && isTraded(update)) grow(otherId, turnedOver(barOf(update)));
  return { window, bars: next };
}

/** The other side of a question; null where one side alone does not settle the other's price. */
function otherSide({ outcome_schema: schema, outcomes }: Market, outcomeId: string): string | null {
  if (schema !== 'binary') return null;
  return outcomes.find(({ id }) => id !== outcomeId)?.id ?? null;
}
