// Why whoever is signed in may not place an order, in words; null if nothing stands against it.
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { restrictionTexts, restrictionWords } from './restriction-texts.ts';
import { useAccount } from './use-account.ts';

export function useBarred(side: 'buy' | 'sell'): string | null {
  const t = useTexts(restrictionTexts);
  const locale = useLocale();
  const { data } = useAccount();
  const found = data?.restriction_reasons.find(
    ({ operations, rule_id: ruleId }) =>
      operations.includes('trade') && !(side === 'sell' && ruleId === 'self_exclusion'),
  );
  return found === undefined ? null : restrictionWords(t, locale, found);
}
