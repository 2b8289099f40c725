// Texts of letting a partner act for somebody.
import type { Texts } from '../../texts/texts.ts';

export const delegateTexts = {
  open: {
    en: 'Let a partner act for you',
    de: 'Einen Partner bevollmächtigen',
    es: 'Autorizar a un socio',
    zh: '授权合作方',
  },
  title: {
    en: 'Let a partner act for you?',
    de: 'Einen Partner bevollmächtigen?',
    es: '¿Autorizar a un socio?',
    zh: '授权合作方代您操作？',
  },
  aboutLive: {
    en: 'They act with keys of their own in your account of real money, within what you say here.',
    de: 'Er handelt mit eigenen Schlüsseln in Ihrem Konto mit echtem Geld, soweit Sie es hier erlauben.',
    es: 'Actúa con claves propias en su cuenta de dinero real, dentro de lo que usted diga aquí.',
    zh: '合作方使用自己的密钥在您的真实资金账户中操作，范围以此处为准。',
  },
  aboutSandbox: {
    en: 'They act with keys of their own in your account of play money, within what you say here.',
    de: 'Er handelt mit eigenen Schlüsseln in Ihrem Konto mit Spielgeld, soweit Sie es hier erlauben.',
    es: 'Actúa con claves propias en su cuenta de dinero ficticio, dentro de lo que usted diga aquí.',
    zh: '合作方使用自己的密钥在您的模拟资金账户中操作，范围以此处为准。',
  },
  partner: {
    en: 'Id of the partner',
    de: 'Kennung des Partners',
    es: 'Id. del socio',
    zh: '合作方 ID',
  },
  partnerHint: {
    en: 'The partner tells it to you; it begins with usr_.',
    de: 'Der Partner nennt sie Ihnen; sie beginnt mit usr_.',
    es: 'Se lo dice el socio; empieza por usr_.',
    zh: '由合作方提供，以 usr_ 开头。',
  },
  may: { en: 'The partner', de: 'Der Partner', es: 'El socio', zh: '合作方可以' },
  cap: {
    en: 'Daily cap',
    de: 'Tagesgrenze',
    es: 'Límite diario',
    zh: '每日限额',
  },
  capHint: {
    en: 'What is traded in a day comes to no more. It bounds what is spent, not how cheaply shares are sold, and begins anew with each delegation. Empty: no cap.',
    de: 'Mehr wird an einem Tag nicht umgesetzt. Sie begrenzt, was ausgegeben wird, nicht, wie billig Anteile verkauft werden, und beginnt mit jeder Vollmacht neu. Leer: keine Grenze.',
    es: 'Lo que opere en un día no pasará de aquí. Limita lo que se gasta, no lo barato que se venda, y empieza de nuevo con cada autorización. Vacío: sin límite.',
    zh: '每天的交易额不超过此数。它限制支出，不限制卖出份额的价格；每次重新授权都重新计算。留空表示不设限额。',
  },
  days: { en: 'For how long', de: 'Für wie lange', es: 'Por cuánto tiempo', zh: '有效期' },
  forDays: {
    en: '{count, plural, one {# day} other {# days}}',
    de: '{count, plural, one {# Tag} other {# Tage}}',
    es: '{count, plural, one {# día} other {# días}}',
    zh: '{count} 天',
  },
  ends: {
    en: 'You can take it back here at any time; open orders of the partner are cancelled then.',
    de: 'Sie können sie hier jederzeit entziehen; offene Aufträge des Partners werden dann storniert.',
    es: 'Puede retirarla aquí en cualquier momento; entonces se cancelan las órdenes abiertas del socio.',
    zh: '您可随时在此收回；届时合作方的未成交订单会被取消。',
  },
  noPartner: {
    en: 'Nobody whom the exchange approved as a partner has this id.',
    de: 'Unter dieser Kennung ist niemand als Partner der Börse zugelassen.',
    es: 'Nadie aprobado por la bolsa como socio tiene este id.',
    zh: '此 ID 不属于交易所批准的合作方。',
  },
  give: { en: 'Allow', de: 'Erlauben', es: 'Permitir', zh: '允许' },
} satisfies Texts<string>;
