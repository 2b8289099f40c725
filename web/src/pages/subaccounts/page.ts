// Accounts beside one's own: money, orders and positions kept apart.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/subaccounts',
    title: { en: 'Subaccounts', de: 'Unterkonten', es: 'Subcuentas', zh: '子账户' },
    load: () => import('./subaccounts-page.tsx'),
  },
];
