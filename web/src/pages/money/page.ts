// Money that comes in and goes out, and where it may go.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/money',
    title: { en: 'Money', de: 'Geld', es: 'Dinero', zh: '资金' },
    load: () => import('./money-page.tsx'),
  },
];
