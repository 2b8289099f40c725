// What somebody has, did and earned.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/portfolio',
    title: { en: 'Portfolio', de: 'Portfolio', es: 'Cartera', zh: '投资组合' },
    load: () => import('./portfolio-page.tsx'),
    nav: { order: 2, icon: 'chart', key: 'p' },
  },
];
