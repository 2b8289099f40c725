// One market, with everything to trade it.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/m/$marketId',
    title: { en: 'Market', de: 'Markt', es: 'Mercado', zh: '市场' },
    load: () => import('./market-page.tsx'),
  },
];
