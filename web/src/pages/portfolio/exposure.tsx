// Where the money in positions is: by category, the largest first.

import { Amount } from '../../components/amount.tsx';
import { money } from '../../format/amounts.ts';
import { categoryName } from '../../format/categories.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { sumOf } from './figures.ts';
import { portfolioTexts } from './texts.ts';
import type { Summary } from './use-summary.ts';

export function Exposure({ exposure }: { readonly exposure: Summary['exposure'] }) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  if (exposure.length === 0) return null;
  // A width on a drawing is no money.
  const all = Number(sumOf(exposure.map(({ value }) => value)));
  return (
    <section aria-label={t('byCategory')} className="border-t border-line pt-4">
      <h2 className="mb-2 text-xs text-muted">{t('byCategory')}</h2>
      <ul className="grid gap-x-8 gap-y-2 lg:grid-cols-2">
        {exposure.map(({ category, value, cost, positions }) => (
          <li key={category} className="grid grid-cols-[6rem_1fr_auto] items-center gap-3">
            <span className="truncate">
              <bdi>{categoryName(locale, category)}</bdi>
            </span>
            <span aria-hidden="true" className="h-2 overflow-hidden rounded-sm bg-page">
              <span
                className="block h-full rounded-sm bg-accent"
                style={{ width: `${all === 0 ? 0 : (Number(value) / all) * 100}%` }}
              />
            </span>
            <span className="text-right">
              <span className="font-semibold">
                <Amount amount={value} />
              </span>{' '}
              <span className="text-xs text-muted max-sm:hidden">
                {t('exposureCost', { cost: money(locale, cost), positions })}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
