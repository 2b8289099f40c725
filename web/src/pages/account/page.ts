// Who somebody is here: profile, password, theme, language, and the tools of the sandbox.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/account',
    title: { en: 'Your account', de: 'Ihr Konto', es: 'Su cuenta', zh: '您的账户' },
    load: () => import('./account-page.tsx'),
  },
];
