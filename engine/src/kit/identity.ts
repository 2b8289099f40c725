// The names by which commands, events and state refer to things.

type Brand<T, B extends string> = T & { readonly __brand: B };

/** A trading account of one lane, `acc_…` or `sub_…`; the platform's own is `acc_platform`. */
export type AccountId = Brand<string, 'AccountId'>;
/** `m_` and the first 16 hex digits of a SHA-256, see MK1. */
export type MarketId = Brand<string, 'MarketId'>;
export type TemplateId = Brand<string, 'TemplateId'>;
/** The id of an outcome inside its market: `yes`, `no`, `long`, `short`, or the template's own. */
export type OutcomeId = string;
/** Sequential within a lane from 1; the wire form `ord_…` is made at the edge. */
export type OrderId = Brand<number, 'OrderId'>;
/** Sequential within a lane from 1; the wire form `trd_…` is made at the edge. */
export type TradeId = Brand<number, 'TradeId'>;

/** `dep_` and the number of the command that first told of it. */
export type DepositId = Brand<string, 'DepositId'>;
/** `wd_` and the number of the command that asked for it. */
export type WithdrawalId = Brand<string, 'WithdrawalId'>;

/** Which of the two exchanges that one server runs: with real money, or with play money. */
export type LaneName = 'live' | 'sandbox';
export type Side = 'buy' | 'sell';

export const asAccountId = (text: string): AccountId => text as AccountId;
export const asMarketId = (text: string): MarketId => text as MarketId;
export const asTemplateId = (text: string): TemplateId => text as TemplateId;
export const asOrderId = (value: number): OrderId => value as OrderId;
export const asTradeId = (value: number): TradeId => value as TradeId;
export const asDepositId = (text: string): DepositId => text as DepositId;
export const asWithdrawalId = (text: string): WithdrawalId => text as WithdrawalId;

export const depositIdOf = (seq: number): DepositId => asDepositId(`dep_${seqText(seq)}`);
export const withdrawalIdOf = (seq: number): WithdrawalId => asWithdrawalId(`wd_${seqText(seq)}`);

/** Wide enough that ids sort as they were made. */
function seqText(seq: number): string {
  return seq.toString(36).padStart(10, '0');
}
