// The price over time: as a line or as candles, over the range that is asked for.
import { outcomeName } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { compareAmounts } from '@sibyl/sdk';
import { useMemo, useState } from 'react';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { outcomeColour } from '../../../format/outcomes.ts';
import { rangeOf } from '../../../format/range.ts';
import type { Tickers } from '../../../live/use-tickers.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { marketTexts } from '../texts.ts';
import { type Line, PriceChart } from './price-chart.tsx';
import {
  type Bar,
  type ChartKind,
  firstSpan,
  type Interval,
  type Span,
  spans,
  withMinute,
} from './spans.ts';
import { useBars } from './use-bars.ts';

interface Props {
  readonly market: Market;
  readonly outcome: Market['outcomes'][number];
  readonly tickers: Tickers;
}

/** More lines than colours could not be told apart. */
const LINES_MAX = 6;

export function Chart({ market, outcome, tickers }: Props) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const [span, setSpan] = useState<Span>(() => firstSpan(market));
  const [kind, setKind] = useState<ChartKind>('line');
  const shown = linesOf(market, outcome, kind);
  const ids = shown.map(({ id }) => id);
  const { bars, interval, error, retry } = useBars(market, ids, span, kind);
  const isOver = market.status === 'resolved' || market.status === 'cancelled';
  const isLive = kind === 'line' && !isOver;
  const prices = isLive ? ids.map((id) => tickers.get(id)?.price ?? '') : [];
  // Only what changes the drawing draws it anew; figures of the market change with every trade.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the outcomes
  const lines: readonly Line[] = useMemo(
    () =>
      shown.map((each) => ({
        id: each.id,
        name: outcomeName(locale, market, each),
        colour: outcomeColour(market, market.outcomes.indexOf(each)),
        isChosen: each.id === outcome.id,
        bars: upToNow(bars?.get(each.id) ?? [], interval, prices[ids.indexOf(each.id)]),
      })),
    [bars, ids.join(), prices.join(), outcome.id, locale],
  );
  return (
    <section
      aria-label={t('chart')}
      className="flex min-w-0 flex-col rounded-lg border border-line bg-surface"
    >
      <div className="flex flex-wrap items-center justify-between gap-2 p-3">
        <Segmented
          label={t('span')}
          value={span}
          onChoose={setSpan}
          choices={spans.map((value) => ({ value, label: t(`span_${value}`) }))}
        />
        <Segmented
          label={t('chartKind')}
          value={kind}
          onChoose={setKind}
          choices={[
            { value: 'line', label: t('line') },
            { value: 'candles', label: t('candles') },
          ]}
        />
      </div>
      {error !== null && bars === null ? (
        <ErrorNote error={error} onRetry={retry} />
      ) : (
        <PriceChart lines={lines} kind={kind} span={span} range={rangeOf(market)} />
      )}
      <p className="px-4 py-2 text-right text-xs text-muted">
        <a
          href="https://www.tradingview.com/"
          target="_blank"
          rel="noreferrer"
          className="hover:underline"
        >
          {t('chartCredit')}
        </a>
      </p>
    </section>
  );
}

/** A line ends at the price of now, which moves without trades too. */
function upToNow(
  bars: readonly Bar[],
  interval: Interval | null,
  price: string | undefined,
): readonly Bar[] {
  if (price === undefined || price === '' || interval === null) return bars;
  const at = Number(price);
  const now = { startMs: Date.now(), open: at, high: at, low: at, close: at };
  return withMinute(bars, now, interval);
}

/** One line of a question; of many answers the dearest, with the chosen one among them. Candles are of one. */
function linesOf(market: Market, outcome: Props['outcome'], kind: ChartKind) {
  if (market.outcome_schema !== 'multi') return market.outcomes.slice(0, 1);
  if (kind === 'candles') return [outcome];
  const dearest = [...market.outcomes]
    .sort((a, b) => compareAmounts(b.price, a.price))
    .slice(0, LINES_MAX);
  const wanted = new Set([...dearest.slice(0, LINES_MAX - 1).map(({ id }) => id), outcome.id]);
  for (const { id } of dearest) if (wanted.size < LINES_MAX) wanted.add(id);
  return market.outcomes.filter(({ id }) => wanted.has(id));
}
