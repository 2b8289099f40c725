// Why money or shares moved, in words.
import type { LedgerEntry } from '@sibyl/sdk';
import type { Texts } from '../../texts/texts.ts';

export const reasonTexts = {
  deposit: { en: 'Deposit', de: 'Einzahlung', es: 'Depósito', zh: '充值' },
  withdrawal: { en: 'Withdrawal', de: 'Auszahlung', es: 'Retirada', zh: '提现' },
  faucet: { en: 'Test money', de: 'Spielgeld', es: 'Dinero de prueba', zh: '测试资金' },
  order_reserve: {
    en: 'Reserved for an order',
    de: 'Für einen Auftrag reserviert',
    es: 'Reservado para una orden',
    zh: '订单冻结',
  },
  order_release: {
    en: 'Released from an order',
    de: 'Aus einem Auftrag freigegeben',
    es: 'Liberado de una orden',
    zh: '订单解冻',
  },
  trade: { en: 'Trade', de: 'Handel', es: 'Operación', zh: '成交' },
  taker_fee: { en: 'Trading fee', de: 'Handelsgebühr', es: 'Comisión', zh: '交易手续费' },
  maker_rebate: {
    en: 'Maker rebate',
    de: 'Maker-Rabatt',
    es: 'Bonificación de maker',
    zh: '做市返佣',
  },
  builder_fee: { en: 'App fee', de: 'App-Gebühr', es: 'Comisión de la app', zh: '应用费用' },
  mint: { en: 'Sets minted', de: 'Sätze erzeugt', es: 'Juegos creados', zh: '铸造整套' },
  merge: { en: 'Sets redeemed', de: 'Sätze eingelöst', es: 'Juegos canjeados', zh: '赎回整套' },
  market_deposit: {
    en: 'Market deposit',
    de: 'Markt-Einlage',
    es: 'Depósito de mercado',
    zh: '创建市场保证金',
  },
  settlement: { en: 'Payout', de: 'Auszahlung des Markts', es: 'Pago del mercado', zh: '结算派付' },
  refund: {
    en: 'Refund of a cancelled market',
    de: 'Erstattung eines abgesagten Markts',
    es: 'Reembolso de mercado cancelado',
    zh: '取消市场退款',
  },
  bond: { en: 'Bond', de: 'Kaution', es: 'Fianza', zh: '保证金' },
  bond_return: {
    en: 'Bond returned',
    de: 'Kaution zurück',
    es: 'Fianza devuelta',
    zh: '保证金退还',
  },
  reward: { en: 'Reward', de: 'Belohnung', es: 'Recompensa', zh: '奖励' },
  fee_credit: {
    en: 'Your share of fees',
    de: 'Ihr Anteil an Gebühren',
    es: 'Su parte de las comisiones',
    zh: '手续费分成',
  },
  reset: {
    en: 'Account reset',
    de: 'Konto zurückgesetzt',
    es: 'Reinicio de la cuenta',
    zh: '账户重置',
  },
  transfer: { en: 'Transfer', de: 'Übertrag', es: 'Transferencia', zh: '转账' },
  correction: { en: 'Correction', de: 'Berichtigung', es: 'Corrección', zh: '更正' },
} satisfies Texts<string>;

export type Reason = keyof typeof reasonTexts;

export const reasons = Object.keys(reasonTexts).filter(isReason);

/** A later exchange may have reasons that this page has no words for. */
export function isReason(text: string): text is Reason {
  return Object.hasOwn(reasonTexts, text);
}

/** The market that an entry belongs to; null for one that belongs to none, or tells its order or trade only. */
export function marketOf(entry: LedgerEntry): string | null {
  if (entry.market_id !== null) return entry.market_id;
  return entry.ref_id?.startsWith('m_') === true ? entry.ref_id : null;
}

/** The same for money of a trade, which names the trade only: the shares of the trade name its market. */
export function marketsOf(entries: readonly LedgerEntry[]): (entry: LedgerEntry) => string | null {
  const traded = new Map<string | null, string>();
  for (const { ref_id: ref, market_id: marketId, reason } of entries) {
    if (marketId !== null && reason === 'trade') traded.set(ref, marketId);
  }
  return (entry) => marketOf(entry) ?? traded.get(entry.ref_id) ?? null;
}
