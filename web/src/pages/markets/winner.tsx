// What a decided market came to.
import { outcomeName } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { marketsTexts } from './texts.ts';

export function Winner({ market }: { readonly market: Market }) {
  const t = useTexts(marketsTexts);
  const locale = useLocale();
  const id = market.status === 'resolved' ? market.resolution?.winning_outcome_id : null;
  const winner = market.outcomes.find((outcome) => outcome.id === id);
  if (winner === undefined) return null;
  return (
    <span dir="auto" className="truncate text-muted">
      {t('won', { outcome: outcomeName(locale, market, winner) })}
    </span>
  );
}
