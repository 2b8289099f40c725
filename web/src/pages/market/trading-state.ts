// Whether a market takes orders, and in words why it does not.
import type { Market } from '@sibyl/sdk';
import { clockTime, dateTime } from '../../format/times.ts';
import type { Locale, Translate } from '../../texts/texts.ts';
import type { marketTexts } from './texts.ts';

interface Facts {
  readonly t: Translate<keyof typeof marketTexts>;
  readonly locale: Locale;
  readonly market: Market;
  readonly haltReason: string | null;
  /** The whole exchange takes no orders. */
  readonly isReadOnly: boolean;
}

/** Null while it takes orders. */
export function whyNoOrders({ t, locale, market, haltReason, isReadOnly }: Facts): string | null {
  switch (market.status) {
    case 'active':
      break;
    case 'scheduled':
      return market.approved
        ? t('notOpen', { time: dateTime(locale, market.opens_at_ms) })
        : t('notApproved');
    case 'locked':
      return market.market_type === 'fast'
        ? t('awaitsResult', { time: clockTime(locale, market.closes_at_ms) })
        : t('isLocked');
    case 'settling':
      return t('isSettling');
    case 'resolved':
      return t('isResolved');
    case 'cancelled':
      return t('isCancelled');
    default:
      return t('isClosed');
  }
  if (!market.approved) return t('notApproved');
  if (market.halted) {
    return haltReason === null ? t('isHalted') : t('isHaltedFor', { reason: inWords(haltReason) });
  }
  return isReadOnly ? t('isReadOnly') : null;
}

/** Reasons are words with underlines, or what an operator wrote. */
function inWords(reason: string): string {
  return /^[a-z_]+$/.test(reason) ? reason.replaceAll('_', ' ') : reason;
}
