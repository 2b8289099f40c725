// A market for a number: where it is expected between its ends, and what each side pays at a few values.
import { outcomeName } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { subtractAmounts } from '@sibyl/sdk';
import { Card } from '../../components/card.tsx';
import { money } from '../../format/amounts.ts';
import { payoutAt, type Range, rangeOf, rangeValue, shareOf, valueAt } from '../../format/range.ts';
import type { Tickers } from '../../live/use-tickers.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { marketTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly tickers: Tickers;
}

export function ScalarRange({ market, tickers }: Props) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const range = rangeOf(market);
  const [higher] = market.outcomes;
  if (range === null || higher === undefined) return null;
  const price = tickers.get(higher.id)?.price ?? higher.price;
  const expected = rangeValue(locale, range, valueAt(range, price));
  return (
    <Card title={t('range')}>
      <div className="flex flex-col gap-4">
        <div className="flex items-center gap-3 text-xs text-muted">
          <span>{rangeValue(locale, range, range.lower)}</span>
          {/* biome-ignore lint/a11y/useSemanticElements: the element of that name cannot be drawn on */}
          <span
            role="meter"
            aria-label={t('implied')}
            aria-valuetext={expected}
            aria-valuenow={Math.round(shareOf(price) * 100)}
            aria-valuemin={0}
            aria-valuemax={100}
            className="relative h-1.5 flex-1 rounded-sm bg-line"
          >
            <span
              className="block h-full rounded-sm bg-accent"
              style={{ width: `${shareOf(price) * 100}%` }}
            />
            <span
              className="absolute top-1/2 size-3.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-surface bg-accent"
              style={{ left: `${shareOf(price) * 100}%` }}
            />
          </span>
          <span>{rangeValue(locale, range, range.upper)}</span>
        </div>
        <Payouts market={market} range={range} />
      </div>
    </Card>
  );
}

const STEPS = 4n;

function Payouts({ market, range }: { readonly market: Market; readonly range: Range }) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const values = [0n, 1n, 2n, 3n, 4n].map(
    (step) => range.lower + ((range.upper - range.lower) * step) / STEPS,
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="overflow-x-auto" tabIndex={0} aria-label={t('paysAt')}>
      <table className="w-full text-right">
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className="py-1 pr-3 text-left font-normal">
              {t('paysAt')}
            </th>
            {values.map((value) => (
              <th
                key={String(value)}
                scope="col"
                className="px-2 py-1 font-normal whitespace-nowrap"
              >
                {rangeValue(locale, range, value)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {market.outcomes.map((outcome, index) => (
            <tr key={outcome.id} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 text-left font-semibold">
                {outcomeName(locale, market, outcome)}
              </th>
              {values.map((value) => {
                const first = payoutAt(range, value);
                return (
                  <td key={String(value)} className="px-2 py-1.5">
                    {money(locale, index === 0 ? first : subtractAmounts('1', first))}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
