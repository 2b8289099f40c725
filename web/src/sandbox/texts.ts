// Texts of the tools of the sandbox.
import type { Texts } from '../texts/texts.ts';

export const sandboxTexts = {
  sandboxTools: {
    en: 'Sandbox tools',
    de: 'Sandbox-Werkzeuge',
    es: 'Herramientas del sandbox',
    zh: '沙盒工具',
  },
  faucetNot: {
    en: 'No test money now',
    de: 'Jetzt kein Testgeld',
    es: 'Ahora no hay dinero de prueba',
    zh: '暂时无法领取',
  },
  settle: {
    en: 'Settle this market',
    de: 'Markt entscheiden',
    es: 'Resolver el mercado',
    zh: '裁定该市场',
  },
  settledByOthers: {
    en: 'This market resolves automatically from its source.',
    de: 'Dieser Markt wird automatisch nach seiner Quelle entschieden.',
    es: 'Este mercado se resuelve automáticamente según su fuente.',
    zh: '该市场按其来源自动裁定。',
  },
  settleTitle: {
    en: 'Settle this market',
    de: 'Diesen Markt entscheiden',
    es: 'Resolver este mercado',
    zh: '裁定该市场',
  },
  settleHint: {
    en: 'It ends for everybody, and everybody is paid at once.',
    de: 'Er endet für alle, und alle werden sofort bezahlt.',
    es: 'Termina para todos, y todos cobran al momento.',
    zh: '市场对所有人结束，并立即支付。',
  },
  winner: { en: 'What came true', de: 'Was eintrat', es: 'Qué se cumplió', zh: '实际结果' },
  settleNow: {
    en: 'Settle, sandbox',
    de: 'Entscheiden, Sandbox',
    es: 'Resolver, sandbox',
    zh: '裁定，沙盒',
  },
  resetNow: {
    en: 'Start over, sandbox',
    de: 'Neu anfangen, Sandbox',
    es: 'Empezar de nuevo, sandbox',
    zh: '重新开始，沙盒',
  },
  isDecided: {
    en: 'It is decided already.',
    de: 'Er ist schon entschieden.',
    es: 'Ya está decidido.',
    zh: '已有结果。',
  },
  othersTrade: {
    en: 'Only its creator can settle this market. Create a market of your own to try it.',
    de: 'Nur der Ersteller kann diesen Markt entscheiden. Erstellen Sie zum Ausprobieren einen eigenen Markt.',
    es: 'Solo su creador puede resolver este mercado. Cree un mercado propio para probarlo.',
    zh: '只有创建者可以裁定该市场。请创建您自己的市场来试用。',
  },
  faucetText: {
    en: 'Test money for this account, once an hour and again after you start over.',
    de: 'Spielgeld für dieses Konto, einmal in der Stunde und wieder nach einem Neubeginn.',
    es: 'Dinero de prueba para esta cuenta, una vez por hora y de nuevo tras empezar de cero.',
    zh: '为此账户领取测试资金，每小时一次，重新开始后可再次领取。',
  },
  faucet: {
    en: 'Get test money',
    de: 'Spielgeld holen',
    es: 'Obtener dinero de prueba',
    zh: '领取测试资金',
  },
  faucetGave: {
    en: '{amount} {asset} credited',
    de: '{amount} {asset} gutgeschrieben',
    es: '{amount} {asset} abonados',
    zh: '已入账 {amount} {asset}',
  },
  faucetAgain: {
    en: 'Again in {time}',
    de: 'Wieder in {time}',
    es: 'De nuevo en {time}',
    zh: '{time} 后可再次领取',
  },
  resetText: {
    en: 'Start over with nothing: no orders, no positions, no money.',
    de: 'Von vorn mit nichts: keine Aufträge, keine Positionen, kein Geld.',
    es: 'Empezar de cero: sin órdenes, sin posiciones, sin dinero.',
    zh: '从零开始：没有订单、持仓和资金。',
  },
  reset: { en: 'Start over', de: 'Neu beginnen', es: 'Empezar de cero', zh: '重新开始' },
  resetTitle: { en: 'Start over?', de: 'Neu beginnen?', es: '¿Empezar de cero?', zh: '重新开始？' },
  resetWarning: {
    en: 'Open orders are cancelled, positions are given up and the balance becomes 0. This cannot be undone. Deposits in markets that you made stay there.',
    de: 'Offene Aufträge werden storniert, Positionen aufgegeben, und das Guthaben wird 0. Das lässt sich nicht rückgängig machen. Einlagen in eigenen Märkten bleiben dort.',
    es: 'Las órdenes abiertas se cancelan, las posiciones se pierden y el saldo queda en 0. No se puede deshacer. Los depósitos de sus mercados siguen allí.',
    zh: '挂单将撤销，持仓将放弃，余额归零，且无法恢复。您所建市场的保证金保留其中。',
  },
  resetDone: {
    en: '{orders, plural, =0 {No orders} one {# order} other {# orders}} cancelled, {positions, plural, =0 {no positions} one {# position} other {# positions}} cleared',
    de: '{orders, plural, =0 {Keine Aufträge} one {# Auftrag} other {# Aufträge}} storniert, {positions, plural, =0 {keine Positionen} one {# Position} other {# Positionen}} aufgelöst',
    es: '{orders, plural, =0 {Ninguna orden cancelada} one {# orden cancelada} other {# órdenes canceladas}}, {positions, plural, =0 {ninguna posición borrada} one {# posición borrada} other {# posiciones borradas}}',
    zh: '已撤销 {orders} 个订单，清除 {positions} 个持仓',
  },
} satisfies Texts<string>;
