// What developers need: keys, apps, their own progress and revenue, what they sent and got, streams by hand, webhooks.
import type { PageDefinition } from '../page.ts';

export const pages: readonly PageDefinition[] = [
  {
    path: '/developers',
    title: { en: 'Developers', de: 'Entwickler', es: 'Desarrolladores', zh: '开发者' },
    load: () => import('./overview/overview-page.tsx'),
    nav: { order: 4, icon: 'code', key: 'd' },
  },
  {
    path: '/developers/keys',
    title: { en: 'Keys', de: 'Schlüssel', es: 'Claves', zh: '密钥' },
    load: () => import('./keys/keys-page.tsx'),
  },
  {
    path: '/developers/apps',
    title: { en: 'Apps', de: 'Apps', es: 'Aplicaciones', zh: '应用' },
    load: () => import('./apps/apps-page.tsx'),
  },
  {
    path: '/developers/builder',
    title: { en: 'Builder', de: 'Builder', es: 'Desarrollador', zh: '开发者级别' },
    load: () => import('./builder/builder-page.tsx'),
  },
  {
    path: '/developers/revenue',
    title: { en: 'Revenue', de: 'Erträge', es: 'Ingresos', zh: '收益' },
    load: () => import('./revenue/revenue-page.tsx'),
  },
  {
    path: '/developers/requests',
    title: { en: 'Requests', de: 'Anfragen', es: 'Peticiones', zh: '请求日志' },
    load: () => import('./requests/requests-page.tsx'),
  },
  {
    path: '/developers/requests/$requestId',
    title: { en: 'Request', de: 'Anfrage', es: 'Petición', zh: '请求' },
    load: () => import('./requests/request-page.tsx'),
  },
  {
    path: '/developers/streams',
    title: {
      en: 'Stream console',
      de: 'Stream-Konsole',
      es: 'Consola de streams',
      zh: '数据流控制台',
    },
    load: () => import('./streams/streams-page.tsx'),
  },
  {
    path: '/developers/webhooks',
    title: { en: 'Webhooks', de: 'Webhooks', es: 'Webhooks', zh: 'Webhook' },
    load: () => import('./webhooks/webhooks-page.tsx'),
  },
  {
    path: '/developers/webhooks/$webhookId',
    title: { en: 'Webhook', de: 'Webhook', es: 'Webhook', zh: 'Webhook' },
    load: () => import('./webhooks/webhook-page.tsx'),
  },
  {
    path: '/developers/signing',
    title: {
      en: 'Signature debugger',
      de: 'Signaturen prüfen',
      es: 'Depurador de firmas',
      zh: '签名调试',
    },
    load: () => import('./signing/signing-page.tsx'),
  },
];
