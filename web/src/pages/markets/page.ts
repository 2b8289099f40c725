// All markets: where everybody begins.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/',
    title: { en: 'Markets', de: 'Märkte', es: 'Mercados', zh: '市场' },
    load: () => import('./markets-page.tsx'),
    nav: { order: 1, icon: 'home', key: 'm' },
  },
];
