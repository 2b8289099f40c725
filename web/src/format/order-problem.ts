// What is wrong with a number of an order, with the nearest that the market takes.
import type { OrderProblem } from '@sibyl/sdk';
import { type Locale, type Texts, translate } from '../texts/texts.ts';
import { inCents } from './amounts.ts';
import { asTyped, numberFault } from './typed-number.ts';

export function problemText(locale: Locale, { field, reason, nearest }: OrderProblem): string {
  if (nearest === null) return numberFault(locale);
  const value = asTyped(locale, field === 'price' ? `${inCents(nearest)}¢` : nearest);
  const isBound = reason === 'too_small' || reason === 'too_large';
  return translate(locale, problemTexts[isBound ? reason : 'nearest'], { value });
}

const problemTexts = {
  nearest: {
    en: 'The nearest possible is {value}.',
    de: 'Am nächsten liegt {value}.',
    es: 'Lo más cercano es {value}.',
    zh: '最接近的是 {value}。',
  },
  too_small: {
    en: 'At least {value}.',
    de: 'Mindestens {value}.',
    es: 'Al menos {value}.',
    zh: '至少 {value}。',
  },
  too_large: {
    en: 'At most {value}.',
    de: 'Höchstens {value}.',
    es: 'Como mucho {value}.',
    zh: '至多 {value}。',
  },
} satisfies Texts<string>;
