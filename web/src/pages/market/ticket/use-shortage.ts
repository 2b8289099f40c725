// Nobody can sell what they do not hold: the account's stream says so before the exchange need be asked.
import { compareAmounts, type Market, type OrderInput, subtractAmounts } from '@sibyl/sdk';
import { shares } from '../../../format/amounts.ts';
import { nameOf } from '../../../format/outcomes.ts';
import { useAccount } from '../../../live/account-provider.tsx';
import { positionKey } from '../../../live/account-view.ts';
import { useSession } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { ticketTexts } from './texts.ts';

/** Why so much cannot be sold; null if it can, and for purchases. */
export function useShortage(market: Market, input: OrderInput | null): string | null {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const session = useSession();
  const account = useAccount();
  if (input?.side !== 'sell' || (session.status === 'signed_in' && account === null)) return null;
  const position = account?.positions.get(positionKey(input));
  const free =
    position === undefined ? '0' : subtractAmounts(position.size, position.reserved_size);
  if (compareAmounts(input.size, free) <= 0) return null;
  const outcome = nameOf(locale, market, input.outcome_id);
  return compareAmounts(free, '0') <= 0
    ? t('holdNone', { outcome })
    : t('holdOnly', { outcome, size: shares(locale, free) });
}
