// What a market says at a glance: the probability, the leading answers, or the number that is expected.
import { outcomeName } from '@sibyl/contract/names';
import { compareAmounts, type Market } from '@sibyl/sdk';
import { Change } from '../../components/change.tsx';
import { Probability } from '../../components/probability.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { cents } from '../../format/amounts.ts';
import { rangeOf, rangeValue, shareOf, valueAt } from '../../format/range.ts';
import type { Tickers } from '../../live/use-tickers.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { marketsTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly tickers: Tickers;
}

export function Outlook({ market, tickers }: Props) {
  if (market.outcome_schema === 'multi') return <Leaders market={market} tickers={tickers} />;
  if (rangeOf(market) !== null) return <Expected market={market} tickers={tickers} />;
  return <Chance market={market} tickers={tickers} />;
}

function Chance({ market, tickers }: Props) {
  const [outcome] = market.outcomes;
  if (outcome === undefined) return null;
  const ticker = tickers.get(outcome.id);
  const change = ticker?.change_24h ?? outcome.change_24h;
  return (
    <div className="flex h-14 items-center gap-3">
      <Probability price={ticker?.price ?? outcome.price} />
      {change !== undefined && <Change change={change} />}
      <span className="ml-auto">
        <Sparkline prices={outcome.history ?? []} change={change ?? '0'} />
      </span>
    </div>
  );
}

const LEADERS = 2;

function Leaders({ market, tickers }: Props) {
  const t = useTexts(marketsTexts);
  const locale = useLocale();
  const priced = market.outcomes
    .map((outcome) => ({ outcome, price: tickers.get(outcome.id)?.price ?? outcome.price }))
    .sort((a, b) => compareAmounts(b.price, a.price));
  const others = priced.length - LEADERS;
  return (
    <ul className="flex h-14 flex-col justify-center gap-1">
      {priced.slice(0, LEADERS).map(({ outcome, price }, index) => (
        <li key={outcome.id} className="flex items-center gap-2">
          <bdi className="min-w-0 flex-1 truncate">{outcomeName(locale, market, outcome)}</bdi>
          {index === LEADERS - 1 && others > 0 && (
            <span className="shrink-0 text-xs text-muted">{t('others', { count: others })}</span>
          )}
          <span className="hidden h-1.5 w-20 shrink-0 overflow-hidden rounded-sm bg-line sm:block">
            <span
              className="block h-full bg-accent"
              style={{ width: `${shareOf(price) * 100}%` }}
            />
          </span>
          <span className="w-12 shrink-0 text-right text-base font-semibold">
            {cents(locale, price, 0)}
            <span className="text-xs text-muted">¢</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Expected({ market, tickers }: Props) {
  const t = useTexts(marketsTexts);
  const locale = useLocale();
  const range = rangeOf(market);
  const [outcome] = market.outcomes;
  if (range === null || outcome === undefined) return null;
  const price = tickers.get(outcome.id)?.price ?? outcome.price;
  return (
    <div className="flex h-14 flex-col justify-center gap-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <span className="truncate text-xl font-semibold tracking-tight">
          {rangeValue(locale, range, valueAt(range, price))}
        </span>
        <span className="shrink-0 text-xs text-muted">{t('implied')}</span>
      </div>
      <div className="flex items-center gap-2 text-xs text-muted">
        <span className="max-w-24 truncate">
          {rangeValue(locale, { ...range, unit: '' }, range.lower)}
        </span>
        <span className="relative h-1 flex-1 rounded-sm bg-line">
          <span
            className="absolute top-1/2 size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full bg-accent"
            style={{ left: `${shareOf(price) * 100}%` }}
          />
        </span>
        <span className="max-w-24 truncate">
          {rangeValue(locale, { ...range, unit: '' }, range.upper)}
        </span>
      </div>
    </div>
  );
}
