// Whether an order lacks shares or money, known before the exchange is asked: nobody can sell what they do not hold.

import { limits } from '@sibyl/contract/limits';
import { nameOf } from '@sibyl/contract/names';
import { compareAmounts, type Market, type OrderInput, subtractAmounts } from '@sibyl/sdk';
import { money, shares } from '../../../format/amounts.ts';
import { lane } from '../../../lane.ts';
import { useAccount } from '../../../live/account-provider.tsx';
import { positionKey } from '../../../live/account-view.ts';
import { useSession } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import type { OrderFigures } from './order-figures.ts';
import { ticketTexts } from './texts.ts';

/** Why so much cannot be traded; null if it can, or if only the exchange can tell. */
export function useShortage(
  market: Market,
  input: OrderInput | null,
  estimate: OrderFigures | null,
): string | null {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const session = useSession();
  const account = useAccount();
  const isPaid = input?.side === 'buy' || input?.mint === true;
  if (isPaid && session.status === 'visitor' && lane === 'sandbox') {
    const isAffordable =
      estimate === null || compareAmounts(estimate.total, limits.demo.balance) <= 0;
    return isAffordable ? null : t('demoHas', { amount: money(locale, limits.demo.balance) });
  }
  if (input?.side !== 'sell' || isPaid || (session.status === 'signed_in' && account === null))
    return null;
  const position = account?.positions.get(positionKey(input));
  const free =
    position === undefined ? '0' : subtractAmounts(position.size, position.reserved_size);
  if (compareAmounts(input.size, free) <= 0) return null;
  const outcome = nameOf(locale, market, input.outcome_id);
  return compareAmounts(free, '0') <= 0
    ? t('holdNone', { outcome })
    : t('holdOnly', { outcome, size: shares(locale, free) });
}
