// Texts of what somebody has allowed apps and partners.
import type { Texts } from '../../texts/texts.ts';

export const connectedAppsTexts = {
  title: {
    en: 'Connected apps',
    de: 'Verbundene Apps',
    es: 'Aplicaciones conectadas',
    zh: '已连接的应用',
  },
  none: {
    en: 'No app acts for you.',
    de: 'Keine App handelt für Sie.',
    es: 'Ninguna aplicación actúa por usted.',
    zh: '没有应用代表您操作。',
  },
  verified: {
    en: 'Verified: {name}',
    de: 'Geprüft: {name}',
    es: 'Verificada: {name}',
    zh: '已验证：{name}',
  },
  partner: { en: 'Partner {id}', de: 'Partner {id}', es: 'Socio {id}', zh: '合作方 {id}' },
  namedPartner: {
    en: '{name} (partner {id})',
    de: '{name} (Partner {id})',
    es: '{name} (socio {id})',
    zh: '{name}(合作方 {id})',
  },
  live: { en: 'real money', de: 'echtes Geld', es: 'dinero real', zh: '真实资金' },
  sandbox: { en: 'play money', de: 'Spielgeld', es: 'dinero ficticio', zh: '模拟资金' },
  subaccount: {
    en: 'only the subaccount {id}',
    de: 'nur das Unterkonto {id}',
    es: 'solo la subcuenta {id}',
    zh: '仅子账户 {id}',
  },
  cap: {
    en: 'at most {amount} a day',
    de: 'höchstens {amount} am Tag',
    es: 'como máximo {amount} al día',
    zh: '每日最多 {amount}',
  },
  noCap: {
    en: 'no daily cap',
    de: 'keine Tagesgrenze',
    es: 'sin límite diario',
    zh: '无每日限额',
  },
  fee: {
    en: 'a fee of its own up to {percent}',
    de: 'eigene Gebühr bis zu {percent}',
    es: 'comisión propia de hasta {percent}',
    zh: '自身费用最多 {percent}',
  },
  used: {
    en: 'last used {when}',
    de: 'zuletzt benutzt {when}',
    es: 'usada por última vez {when}',
    zh: '上次使用 {when}',
  },
  unused: { en: 'not used yet', de: 'noch nicht benutzt', es: 'aún sin usar', zh: '尚未使用' },
  until: { en: 'ends {when}', de: 'endet {when}', es: 'termina {when}', zh: '{when} 结束' },
  revoke: { en: 'Take back', de: 'Entziehen', es: 'Retirar', zh: '收回' },
  revokeTitle: {
    en: 'Take back what {name} may do?',
    de: '{name} die Erlaubnis entziehen?',
    es: '¿Retirar el permiso a {name}?',
    zh: '收回 {name} 的权限?',
  },
  revokeText: {
    en: 'It can do nothing more for you from now on, and its open orders are cancelled. To use it again you allow it anew.',
    de: 'Ab sofort ist nichts mehr in Ihrem Namen möglich, und die offenen Aufträge daraus werden storniert. Für eine weitere Nutzung erlauben Sie es neu.',
    es: 'Desde ahora no podrá hacer nada más por usted y se cancelan sus órdenes abiertas. Para usarla de nuevo, permítalo otra vez.',
    zh: '从现在起它不能再代您操作,其未成交订单会被取消。如需再次使用,请重新授权。',
  },
  'markets:read': {
    en: 'reads markets',
    de: 'liest Märkte',
    es: 'lee mercados',
    zh: '读取市场',
  },
  'account:read': {
    en: 'reads balance, positions and orders',
    de: 'liest Guthaben, Positionen und Aufträge',
    es: 'lee saldo, posiciones y órdenes',
    zh: '读取余额、持仓和订单',
  },
  'orders:trade': { en: 'trades', de: 'handelt', es: 'opera', zh: '交易' },
  'positions:convert': {
    en: 'mints and merges sets',
    de: 'bildet und löst Sätze auf',
    es: 'crea y deshace conjuntos',
    zh: '铸造和合并份额组',
  },
  'markets:create': {
    en: 'creates markets',
    de: 'legt Märkte an',
    es: 'crea mercados',
    zh: '创建市场',
  },
  'webhooks:manage': {
    en: 'manages its webhooks',
    de: 'verwaltet eigene Webhooks',
    es: 'gestiona sus webhooks',
    zh: '管理其 webhook',
  },
  offline: {
    en: 'also while you are away',
    de: 'auch während Sie weg sind',
    es: 'también mientras usted no está',
    zh: '您离开时也有效',
  },
} satisfies Texts<string>;
