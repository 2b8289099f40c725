// What the head of a market's page says to those who show a preview of its link.
import type { Market } from '@sibyl/contract';
import type { Words } from '@sibyl/contract/names';
import { CARD_HEIGHT, CARD_WIDTH } from '../cards/card-svg.ts';
import { marketWords } from '../cards/market-words.ts';
import { escapeMarkup } from '../cards/plain-line.ts';
import type { Reader } from '../wire/reader.ts';

const PLAY_MONEY: Words = {
  en: 'Sandbox: play money. ',
  de: 'Sandbox: Spielgeld. ',
  es: 'Sandbox: dinero ficticio. ',
  zh: '沙盒：模拟资金。',
};

/** As HTML that can stand in a head: title, description, Open Graph and the card of X. */
export function marketHead(
  market: Market,
  lane: 'live' | 'sandbox',
  publicUrl: string,
  reader: Reader,
): string {
  const { title, leading, closing } = marketWords(market, reader);
  const { locale } = reader;
  const figures = leading.map(({ label, figure }) => `${label} ${figure}`).join(', ');
  const where = lane === 'sandbox' ? PLAY_MONEY[locale] : '';
  const description = `${where}${figures}. ${closing}.`;
  const page = `${publicUrl.replace(/\/+$/, '')}${lane === 'sandbox' ? '/sandbox' : ''}/m/${market.market_id}`;
  const image = `${page}/card.png${locale === 'en' || locale === 'zh' ? '' : `?lang=${locale}`}`;
  const properties = {
    'og:type': 'website',
    'og:site_name': 'Sibyl',
    'og:title': title,
    'og:description': description,
    'og:url': page,
    'og:image': image,
    'og:image:type': 'image/png',
    'og:image:width': String(CARD_WIDTH),
    'og:image:height': String(CARD_HEIGHT),
    'og:image:alt': `${title}. ${figures}`,
  };
  const names = {
    description,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': image,
  };
  return [
    `<title>${escapeMarkup(`${title} · Sibyl`)}</title>`,
    ...tags('name', names),
    ...tags('property', properties),
  ].join('\n');
}

function tags(kind: 'name' | 'property', contents: Readonly<Record<string, string>>): string[] {
  return Object.entries(contents).map(
    ([name, content]) => `<meta ${kind}="${name}" content="${escapeMarkup(content)}">`,
  );
}
