// What outcomes are called. Where the exchange has words of its own the reader's language is used; answers that people wrote stay as they are.
import type { Market } from '../resources/market.ts';
import type { MarketKind } from './kind.ts';
import type { Locale } from './locales.ts';
import { hasInk } from './titles.ts';
import type { Words } from './words.ts';

const texts = {
  yes: { en: 'Yes', de: 'Ja', es: 'Sí', zh: '是' },
  no: { en: 'No', de: 'Nein', es: 'No', zh: '否' },
  up: { en: 'Up', de: 'Höher', es: 'Sube', zh: '上涨' },
  down: { en: 'Down', de: 'Tiefer', es: 'Baja', zh: '下跌' },
  long: { en: 'Higher', de: 'Höher', es: 'Más alto', zh: '更高' },
  short: { en: 'Lower', de: 'Tiefer', es: 'Más bajo', zh: '更低' },
} satisfies Readonly<Record<string, Words>>;

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

export function outcomeName(
  locale: Locale,
  { outcome_schema: schema, market_type: type, template_id: templateId }: MarketKind,
  { id, label }: { readonly id: string; readonly label: string },
): string {
  if (schema === 'binary' && type === 'fast') {
    if (id === 'yes') return texts.up[locale];
    if (id === 'no') return texts.down[locale];
  }
  if (schema === 'binary' && (id === 'yes' || id === 'no')) return texts[id][locale];
  if (schema === 'scalar' && (id === 'long' || id === 'short')) return texts[id][locale];
  const answer = answers[`${templateId} ${id}`];
  if (answer?.en === label) return answer[locale];
  return hasInk(label) ? label : id;
}

/** The name of the outcome with this id; the id itself where the market has none, or is not known yet. */
export function nameOf(
  locale: Locale,
  market: (MarketKind & Pick<Market, 'outcomes'>) | null,
  outcomeId: string,
): string {
  const outcome = market?.outcomes.find(({ id }) => id === outcomeId);
  return market === null || outcome === undefined
    ? outcomeId
    : outcomeName(locale, market, outcome);
}
