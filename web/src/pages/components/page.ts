// Every component in every state, for whoever builds pages.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/dev/components',
    title: { en: 'Components', de: 'Komponenten', es: 'Componentes', zh: '组件' },
    load: () => import('./components-page.tsx'),
    isForDevelopers: true,
  },
];
