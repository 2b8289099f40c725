// How the exchange does and did, for everybody.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/status',
    title: { en: 'Status', de: 'Status', es: 'Estado', zh: '运行状态' },
    load: () => import('./status-page.tsx'),
  },
];
