// Texts of the limits that people set themselves.
import type { Texts } from '../../texts/texts.ts';

export const ownLimitsTexts = {
  limits: {
    en: 'Your own limits',
    de: 'Ihre eigenen Grenzen',
    es: 'Sus propios límites',
    zh: '自设限额',
  },
  limitsText: {
    en: 'What you allow yourself. A lower limit holds at once, a higher one after a day. Empty is no limit. Counting begins with your first limit: what you paid in or lost before it does not count, on the same day neither. What rests and what positions cost counts as lost until it is back.',
    de: 'Was Sie sich erlauben. Eine niedrigere Grenze gilt sofort, eine höhere nach einem Tag. Leer ist keine Grenze. Gezählt wird ab Ihrer ersten Grenze: was Sie davor eingezahlt oder verloren haben, zählt nicht, auch nicht am selben Tag. Was ruht und was Positionen kosten, gilt als verloren, bis es zurück ist.',
    es: 'Lo que se permite. Un límite menor vale al instante, uno mayor tras un día. Vacío es sin límite. Se cuenta desde su primer límite: lo que ingresó o perdió antes no cuenta, tampoco el mismo día. Lo que espera y lo que cuestan las posiciones cuenta como perdido hasta que vuelve.',
    zh: '您允许自己的额度。降低立即生效，提高一天后生效。留空表示不限。自首次设置限额起开始计算：此前的充值和亏损不计入，当天的也不计入。挂单和持仓成本在收回之前计为亏损。',
  },
  playMoney: {
    en: 'This is the sandbox: limits and an exclusion set here hold for play money only. For real money, set them at the live exchange.',
    de: 'Dies ist die Sandbox: Grenzen und ein Ausschluss von hier gelten nur für Spielgeld. Für echtes Geld setzen Sie sie an der Live-Börse.',
    es: 'Esto es el sandbox: los límites y la exclusión de aquí valen solo para dinero de prueba. Para dinero real, fíjelos en la bolsa real.',
    zh: '这里是沙盒：在此设置的限额和排除仅适用于模拟资金。真实资金请在正式交易所设置。',
  },
  realMoney: {
    en: 'Limits and an exclusion set here hold for real money, not for the play money of the sandbox.',
    de: 'Grenzen und ein Ausschluss von hier gelten für echtes Geld, nicht für das Spielgeld der Sandbox.',
    es: 'Los límites y la exclusión de aquí valen para dinero real, no para el dinero de prueba del sandbox.',
    zh: '在此设置的限额和排除适用于真实资金，不适用于沙盒的模拟资金。',
  },
  loss: { en: 'Lose at most', de: 'Höchstens verlieren', es: 'Perder como máximo', zh: '最多亏损' },
  deposit: {
    en: 'Pay in at most',
    de: 'Höchstens einzahlen',
    es: 'Ingresar como máximo',
    zh: '最多充值',
  },
  day: { en: 'per day', de: 'am Tag', es: 'al día', zh: '每日' },
  week: { en: 'per week', de: 'in der Woche', es: 'a la semana', zh: '每周' },
  month: { en: 'per month', de: 'im Monat', es: 'al mes', zh: '每月' },
  used: {
    en: '{amount} so far',
    de: 'bisher {amount}',
    es: '{amount} hasta ahora',
    zh: '目前 {amount}',
  },
  later: {
    en: 'from {time}: {amount}',
    de: 'ab {time}: {amount}',
    es: 'desde el {time}: {amount}',
    zh: '{time} 起：{amount}',
  },
  amountFault: {
    en: 'A number with a point and at most six places, such as 1500.25, or nothing.',
    de: 'Eine Zahl mit Komma und höchstens sechs Stellen, ohne Tausenderpunkt, etwa 1500,25, oder nichts.',
    es: 'Un número con coma y como mucho seis decimales, sin punto de millares, como 1500,25, o nada.',
    zh: '数字，最多六位小数，例如 1500.25,或留空。',
  },
  noLimit: { en: 'no limit', de: 'keine Grenze', es: 'sin límite', zh: '不限' },
  save: { en: 'Set the limits', de: 'Grenzen setzen', es: 'Fijar los límites', zh: '设置限额' },
  saved: {
    en: 'Your limits are set.',
    de: 'Ihre Grenzen sind gesetzt.',
    es: 'Sus límites están fijados.',
    zh: '限额已设置。',
  },
  exclude: {
    en: 'Exclude yourself',
    de: 'Sich selbst ausschließen',
    es: 'Autoexcluirse',
    zh: '自我排除',
  },
  excludeText: {
    en: 'You can buy nothing and pay nothing in until then, from now on. Open buys are withdrawn; selling, cancelling and withdrawing work. Nobody can shorten it, the exchange neither.',
    de: 'Bis dahin können Sie von jetzt an nichts kaufen und nichts einzahlen. Offene Käufe werden zurückgezogen; Verkaufen, Stornieren und Auszahlen gehen. Niemand kann es verkürzen, auch die Börse nicht.',
    es: 'Desde ahora y hasta entonces no puede comprar ni ingresar dinero. Las compras abiertas se retiran; vender, cancelar y retirar funcionan. Nadie puede acortarlo, tampoco la bolsa.',
    zh: '从现在到那时，您不能买入或充值。未成交的买单会被撤回；卖出、撤单和提现照常。任何人都不能缩短期限，包括交易所。',
  },
  howLong: { en: 'For how long', de: 'Wie lange', es: 'Cuánto tiempo', zh: '多久' },
  d1: { en: 'a day', de: 'einen Tag', es: 'un día', zh: '一天' },
  d30: { en: '30 days', de: '30 Tage', es: '30 días', zh: '30 天' },
  d180: { en: '180 days', de: '180 Tage', es: '180 días', zh: '180 天' },
  ever: { en: 'for ever', de: 'für immer', es: 'para siempre', zh: '永久' },
} as const satisfies Texts<string>;
