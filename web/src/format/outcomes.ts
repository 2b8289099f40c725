// What outcomes are called. Where the exchange has words of its own the reader's language is used; answers that people wrote stay as they are.

import type { Market } from '@sibyl/sdk';
import { type Locale, type Texts, translate, type Words } from '../texts/texts.ts';
import { hasInk } from './titles.ts';

const texts = {
  yes: { en: 'Yes', de: 'Ja', es: 'Sí', zh: '是' },
  no: { en: 'No', de: 'Nein', es: 'No', zh: '否' },
  up: { en: 'Up', de: 'Höher', es: 'Sube', zh: '上涨' },
  down: { en: 'Down', de: 'Tiefer', es: 'Baja', zh: '下跌' },
  long: { en: 'Higher', de: 'Höher', es: 'Más alto', zh: '更高' },
  short: { en: 'Lower', de: 'Tiefer', es: 'Más bajo', zh: '更低' },
} satisfies Texts<string>;

/** Answers of the templates that the exchange begins with, by template and id; a maker's own are never among them. */
const answers: Readonly<Record<string, Words>> = {
  'match-result draw': { en: 'Draw', de: 'Unentschieden', es: 'Empate', zh: '平局' },
  'rate-decision cut': { en: 'Cut', de: 'Senkung', es: 'Bajada', zh: '降息' },
  'rate-decision hold': { en: 'No change', de: 'Unverändert', es: 'Sin cambios', zh: '维持不变' },
  'rate-decision hike': { en: 'Hike', de: 'Erhöhung', es: 'Subida', zh: '加息' },
  'league-champion fifth': {
    en: 'Any other club',
    de: 'Ein anderer Verein',
    es: 'Otro club',
    zh: '其他俱乐部',
  },
};

type Kind = Pick<Market, 'outcome_schema' | 'market_type' | 'template_id'>;

export function outcomeName(
  locale: Locale,
  { outcome_schema: schema, market_type: type, template_id: templateId }: Kind,
  { id, label }: { readonly id: string; readonly label: string },
): string {
  if (schema === 'binary' && type === 'fast') {
    if (id === 'yes') return translate(locale, texts.up);
    if (id === 'no') return translate(locale, texts.down);
  }
  if (schema === 'binary' && (id === 'yes' || id === 'no')) return translate(locale, texts[id]);
  if (schema === 'scalar' && (id === 'long' || id === 'short')) return translate(locale, texts[id]);
  const answer = answers[`${templateId} ${id}`];
  if (answer?.en === label) return translate(locale, answer);
  return hasInk(label) ? label : id;
}

/** The name of the outcome with this id; the id itself where the market has none, or is not known yet. */
export function nameOf(
  locale: Locale,
  market: (Kind & Pick<Market, 'outcomes'>) | null,
  outcomeId: string,
): string {
  const outcome = market?.outcomes.find(({ id }) => id === outcomeId);
  return market === null || outcome === undefined
    ? outcomeId
    : outcomeName(locale, market, outcome);
}

/** Which of the six colours of outcomes it has: of two sides each its own, answers take turns. */
export function outcomeColour(market: Kind, index: number): 1 | 2 | 3 | 4 | 5 | 6 {
  if (market.outcome_schema !== 'multi') return index === 0 ? 1 : 2;
  return ((index % 6) + 1) as 1 | 2 | 3 | 4 | 5 | 6;
}
