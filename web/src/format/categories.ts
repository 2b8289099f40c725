// What categories are called; a newer one as the exchange names it.
import { type Locale, type Texts, translate } from '../texts/texts.ts';

const texts = {
  crypto: { en: 'Crypto', de: 'Krypto', es: 'Cripto', zh: '加密货币' },
  sports: { en: 'Sports', de: 'Sport', es: 'Deportes', zh: '体育' },
  technology: { en: 'Technology', de: 'Technik', es: 'Tecnología', zh: '科技' },
  weather: { en: 'Weather', de: 'Wetter', es: 'Tiempo', zh: '天气' },
  economy: { en: 'Economy', de: 'Wirtschaft', es: 'Economía', zh: '经济' },
  community: { en: 'Community', de: 'Community', es: 'Comunidad', zh: '社区' },
  games: { en: 'Games', de: 'Spiele', es: 'Juegos', zh: '游戏' },
  news: { en: 'News', de: 'Nachrichten', es: 'Noticias', zh: '新闻' },
  politics: { en: 'Politics', de: 'Politik', es: 'Política', zh: '政治' },
} satisfies Texts<string>;

export function categoryName(locale: Locale, category: string): string {
  const words = Object.entries(texts).find(([name]) => name === category)?.[1];
  return words === undefined ? category : translate(locale, words);
}
