// Where links of letters lead, and where one is asked for: to verify an address, and to set a forgotten password anew.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/verify',
    title: {
      en: 'Verify your address',
      de: 'Adresse bestätigen',
      es: 'Verificar su dirección',
      zh: '验证邮箱',
    },
    load: () => import('./verify-page.tsx'),
  },
  {
    path: '/forgot',
    title: {
      en: 'Forgotten password',
      de: 'Passwort vergessen',
      es: 'Contraseña olvidada',
      zh: '忘记密码',
    },
    load: () => import('./forgot-page.tsx'),
  },
  {
    path: '/reset',
    title: { en: 'New password', de: 'Neues Passwort', es: 'Nueva contraseña', zh: '新密码' },
    load: () => import('./reset-page.tsx'),
  },
];
