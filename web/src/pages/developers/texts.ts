// Texts that the pages for developers share.
import type { Texts } from '../../texts/texts.ts';

export const developerTexts = {
  developers: { en: 'Developers', de: 'Entwickler', es: 'Desarrolladores', zh: '开发者' },
  overview: { en: 'Overview', de: 'Übersicht', es: 'Resumen', zh: '概览' },
  keys: { en: 'Keys', de: 'Schlüssel', es: 'Claves', zh: '密钥' },
  apps: { en: 'Apps', de: 'Apps', es: 'Aplicaciones', zh: '应用' },
  builder: { en: 'Builder', de: 'Builder', es: 'Desarrollador', zh: '开发者级别' },
  revenue: { en: 'Revenue', de: 'Erträge', es: 'Ingresos', zh: '收益' },
  requests: { en: 'Requests', de: 'Anfragen', es: 'Peticiones', zh: '请求日志' },
  streams: { en: 'Streams', de: 'Streams', es: 'Streams', zh: '数据流' },
  webhooks: { en: 'Webhooks', de: 'Webhooks', es: 'Webhooks', zh: 'Webhook' },
  signing: { en: 'Signing', de: 'Signieren', es: 'Firmas', zh: '签名' },
  reference: { en: 'Reference', de: 'Referenz', es: 'Referencia', zh: '参考文档' },
  sections: {
    en: 'Pages for developers',
    de: 'Seiten für Entwickler',
    es: 'Páginas para desarrolladores',
    zh: '开发者页面',
  },
  register: { en: 'Register', de: 'Registrieren', es: 'Registrarse', zh: '注册' },
  cancel: { en: 'Cancel', de: 'Abbrechen', es: 'Cancelar', zh: '取消' },
  shownOnce: {
    en: 'Shown once. Store it now: nobody can show it to you again.',
    de: 'Wird einmal gezeigt. Jetzt speichern: Niemand kann es noch einmal zeigen.',
    es: 'Se muestra una vez. Guárdelo ahora: nadie podrá mostrarlo otra vez.',
    zh: '仅显示一次。请立即保存：之后无法再次查看。',
  },
  stored: {
    en: 'I have stored it',
    de: 'Ich habe es gespeichert',
    es: 'Ya lo he guardado',
    zh: '我已保存',
  },
  never: { en: 'never', de: 'nie', es: 'nunca', zh: '从未' },
} satisfies Texts<string>;
