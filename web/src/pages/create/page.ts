// Makes a market from a template, and shows the markets one has made.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/create',
    title: { en: 'Create', de: 'Erstellen', es: 'Crear', zh: '创建市场' },
    load: () => import('./create-page.tsx'),
    nav: { order: 3, icon: 'plus', key: 'c' },
  },
];
