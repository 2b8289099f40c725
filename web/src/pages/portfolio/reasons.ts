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
    en: 'Rebate for offering prices',
    de: 'Rabatt für gestellte Preise',
    es: 'Bonificación por ofrecer precios',
    zh: '做市返佣',
  },
  builder_fee: {
    en: 'Fee of the app',
    de: 'Gebühr der App',
    es: 'Comisión de la app',
    zh: '应用费用',
  },
  mint: {
    en: 'Complete sets made',
    de: 'Volle Sätze gebildet',
    es: 'Juegos creados',
    zh: '铸造整套',
  },
  merge: {
    en: 'Complete sets given back',
    de: 'Volle Sätze zurückgegeben',
    es: 'Juegos devueltos',
    zh: '赎回整套',
  },
  market_deposit: {
    en: 'Deposit for a market you made',
    de: 'Einlage für einen eigenen Markt',
    es: 'Depósito de un mercado propio',
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
  reset: { en: 'Started over', de: 'Neu begonnen', es: 'Reinicio', zh: '重置' },
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

/**
 * The same for money of a trade, which names the trade only: its shares moved by the same command, and the order of a
 * command is in one market.
 */
export function marketsOf(entries: readonly LedgerEntry[]): (entry: LedgerEntry) => string | null {
  const traded = new Map<number, string>();
  for (const { seq, market_id: marketId, reason } of entries) {
    if (marketId !== null && reason === 'trade') traded.set(seq, marketId);
  }
  return (entry) => {
    const isOfTrade = entry.ref_id?.startsWith('trd_') === true;
    return marketOf(entry) ?? (isOfTrade ? (traded.get(entry.seq) ?? null) : null);
  };
}
