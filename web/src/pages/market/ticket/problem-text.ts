// What is wrong with a number in the ticket, with the nearest that the market takes.
import type { OrderProblem } from '@sibyl/sdk';
import { inCents } from '../../../format/amounts.ts';
import type { Translate } from '../../../texts/texts.ts';
import type { ticketTexts } from './texts.ts';

export function problemText(
  t: Translate<keyof typeof ticketTexts>,
  { field, reason, nearest }: OrderProblem,
): string {
  if (nearest === null) return t('notNumber');
  const value = field === 'price' ? `${inCents(nearest)}¢` : nearest;
  if (reason === 'too_small') return t('tooSmall', { value });
  if (reason === 'too_large') return t('tooLarge', { value });
  return t('nearest', { value });
}
