// What an order is: the one list from which every stored, journaled and spelled form of it is written (see main.ts).

/** `word`: one of a few, stored by its code. `json`: a small object that the journal spells as JSON. */
export type Kind = 'number' | 'amount' | 'text' | 'flag' | 'word' | 'json';

/**
 * Where a field is kept. `placed`: the command says it, and the journal keeps it. `view`: every event and answer that
 * carries the order. `snapshot`: an open order's record. `history`: the columns of its row.
 */
export type Form = 'placed' | 'view' | 'snapshot' | 'history';

export interface Field {
  readonly name: string;
  /** In TypeScript, as the engine has it, without the null of an optional one. */
  readonly type: string;
  readonly kind: Kind;
  readonly isOptional?: boolean;
  readonly in: readonly Form[];
  /** How it is read off an open `order`; where there is none, whoever asks for the form gives it as an argument. */
  readonly live?: string;
  /** Of a word its bits; of an optional field the bit that says that it is given. */
  readonly bits?: { readonly at: number; readonly width: number };
  /** Of a word: what is stored for it. A code is never given to another word, whatever is added. */
  readonly codes?: Readonly<Record<string, number>>;
  readonly about?: string;
}

const EVERYWHERE = ['placed', 'view', 'snapshot', 'history'] as const;
const OF_THE_ENGINE = ['view', 'snapshot', 'history'] as const;

export const ORDER: readonly Field[] = [
  { name: 'orderId', type: 'OrderId', kind: 'number', in: OF_THE_ENGINE, live: 'order.id' },
  {
    name: 'accountId',
    type: 'AccountId',
    kind: 'text',
    in: EVERYWHERE,
    live: 'order.holding.account.id',
  },
  {
    name: 'marketId',
    type: 'MarketId',
    kind: 'text',
    in: EVERYWHERE,
    live: 'order.holding.market.id',
  },
  {
    name: 'outcomeId',
    type: 'OutcomeId',
    kind: 'text',
    in: EVERYWHERE,
    live: 'order.holding.market.template.outcomeIds[order.outcome]!',
  },
  {
    name: 'side',
    type: 'Side',
    kind: 'word',
    in: EVERYWHERE,
    live: 'order.side',
    bits: { at: 0, width: 1 },
    codes: { buy: 0, sell: 1 },
  },
  {
    name: 'orderType',
    type: 'OrderType',
    kind: 'word',
    in: EVERYWHERE,
    live: 'order.kind.orderType',
    bits: { at: 1, width: 1 },
    codes: { limit: 0, market: 1 },
  },
  {
    name: 'price',
    type: 'Pips',
    kind: 'number',
    isOptional: true,
    in: EVERYWHERE,
    live: "order.kind.orderType === 'limit' ? order.price : null",
    bits: { at: 16, width: 1 },
    about: 'The limit; null exactly when the order is a market order.',
  },
  { name: 'lots', type: 'Lots', kind: 'number', in: EVERYWHERE, live: 'order.lots' },
  { name: 'filledLots', type: 'Lots', kind: 'number', in: OF_THE_ENGINE, live: 'order.filledLots' },
  {
    name: 'filledCost',
    type: 'Usdt',
    kind: 'amount',
    in: OF_THE_ENGINE,
    live: 'usdt(micro(filledCostOf(order)))',
    about:
      "Sum of the fills' costs, fees apart: divided by the filled size it is the average price.",
  },
  {
    name: 'feesPaid',
    type: 'Usdt',
    kind: 'amount',
    in: OF_THE_ENGINE,
    live: 'usdt(micro(order.feesPaid))',
  },
  {
    name: 'status',
    type: 'OrderStatus',
    kind: 'word',
    in: OF_THE_ENGINE,
    live: 'order.status',
    bits: { at: 8, width: 3 },
    codes: { pending: 0, partially_filled: 1, filled: 2, cancelled: 3, rejected: 4 },
  },
  {
    name: 'timeInForce',
    type: 'TimeInForce',
    kind: 'word',
    in: EVERYWHERE,
    live: 'order.kind.timeInForce',
    bits: { at: 2, width: 2 },
    codes: { gtc: 0, gtd: 1, ioc: 2, fok: 3 },
  },
  {
    name: 'postOnly',
    type: 'boolean',
    kind: 'flag',
    in: EVERYWHERE,
    live: 'order.kind.postOnly',
    bits: { at: 4, width: 1 },
  },
  {
    name: 'reduceOnly',
    type: 'boolean',
    kind: 'flag',
    in: EVERYWHERE,
    live: 'order.kind.reduceOnly',
    bits: { at: 5, width: 1 },
  },
  {
    name: 'stpMode',
    type: 'StpMode',
    kind: 'word',
    in: EVERYWHERE,
    live: 'order.kind.stpMode',
    bits: { at: 6, width: 1 },
    codes: { cancel_resting: 0, cancel_incoming: 1 },
  },
  {
    name: 'execution',
    type: 'Execution',
    kind: 'word',
    in: ['placed', 'snapshot'],
    live: 'order.kind.execution',
    bits: { at: 7, width: 1 },
    codes: { hybrid: 0, mid: 1 },
    about: '`mid`: simulated fills at the mid price for self_serve, see SF1.',
  },
  {
    name: 'maxCost',
    type: 'Usdt',
    kind: 'amount',
    isOptional: true,
    in: ['placed', 'view', 'history'],
    bits: { at: 18, width: 1 },
    about: 'Most that may be spent, fees included; buys that never rest only.',
  },
  {
    name: 'validUntilMs',
    type: 'number',
    kind: 'number',
    isOptional: true,
    in: EVERYWHERE,
    live: 'order.validUntilMs',
    bits: { at: 19, width: 1 },
    about: 'An order sequenced later than this is rejected as late.',
  },
  {
    name: 'expiresAtMs',
    type: 'number',
    kind: 'number',
    isOptional: true,
    in: EVERYWHERE,
    live: 'order.expiresAtMs',
    bits: { at: 17, width: 1 },
  },
  {
    name: 'clientOrderId',
    type: 'string',
    kind: 'text',
    isOptional: true,
    in: EVERYWHERE,
    live: 'order.clientOrderId',
    bits: { at: 20, width: 1 },
  },
  {
    name: 'keyId',
    type: 'string',
    kind: 'text',
    isOptional: true,
    in: OF_THE_ENGINE,
    live: 'order.keyId',
    bits: { at: 21, width: 1 },
  },
  {
    name: 'builder',
    type: 'BuilderFee',
    kind: 'json',
    isOptional: true,
    in: ['placed', 'snapshot'],
    live: 'order.builder',
    bits: { at: 22, width: 1 },
  },
  {
    name: 'builderAppId',
    type: 'string',
    kind: 'text',
    isOptional: true,
    in: ['view', 'history'],
    live: 'order.builder === null ? null : order.builder.appId',
    bits: { at: 22, width: 1 },
  },
  {
    name: 'caps',
    type: 'TierCaps',
    kind: 'json',
    isOptional: true,
    in: ['placed'],
    bits: { at: 23, width: 1 },
  },
  {
    name: 'grant',
    type: 'GrantTerms',
    kind: 'json',
    isOptional: true,
    in: ['placed'],
    bits: { at: 24, width: 1 },
    about: 'The grant under which somebody else places it.',
  },
  {
    name: 'acceptPrice',
    type: 'boolean',
    kind: 'flag',
    in: ['placed'],
    bits: { at: 25, width: 1 },
    about:
      'Accepts a price far from what the outcome is worth in a market without a pool, see RK6.',
  },
  {
    name: 'grantId',
    type: 'string',
    kind: 'text',
    isOptional: true,
    in: ['snapshot'],
    live: 'grantIdOf(order)',
    about: 'The grant under which it was last placed or re-routed.',
  },
  {
    name: 'credential',
    type: 'CredentialName',
    kind: 'json',
    isOptional: true,
    in: ['snapshot'],
    live: 'credentialName(order)',
    about: 'Whose caps it counts against.',
  },
  {
    name: 'createdAtMs',
    type: 'number',
    kind: 'number',
    in: OF_THE_ENGINE,
    live: 'createdAtMs(order)',
  },
  {
    name: 'restingSinceMs',
    type: 'number',
    kind: 'number',
    in: ['snapshot'],
    live: 'restingSinceMs(order)',
  },
  { name: 'priority', type: 'number', kind: 'number', in: ['snapshot'], live: 'order.priority' },
  {
    name: 'rejectReason',
    type: 'RejectReason',
    kind: 'word',
    isOptional: true,
    in: ['view', 'history'],
    bits: { at: 11, width: 5 },
    codes: { fok_unfilled: 1, post_only_would_take: 2, late: 3, nothing_to_reduce: 4 },
    about: 'The reasons are those of an order that ends as it is placed or amended.',
  },
  {
    // Shares its bits with the reason of a rejection: no order has both, and no code is in both lists.
    name: 'cancelReason',
    type: 'CancelReason',
    kind: 'word',
    isOptional: true,
    in: ['view', 'history'],
    bits: { at: 11, width: 5 },
    codes: {
      user: 5,
      expired: 6,
      ioc_remainder: 7,
      self_trade_prevented: 8,
      market_locked: 9,
      market_cancelled: 10,
      dead_man: 11,
      reset: 12,
      admin: 13,
      price_band: 14,
      too_many_steps: 15,
      disconnect: 16,
      account_frozen: 17,
      grant_ended: 18,
    },
  },
];

/** Where an order filled as it was placed: no part of it, but remembered with the answer. */
export const FILL_VENUE = {
  name: 'fillVenue',
  type: 'FillVenue',
  codes: { amm: 1, clob: 2, hybrid: 3 },
} as const;

export function fieldsIn(form: Form): readonly Field[] {
  return ORDER.filter((field) => field.in.includes(form));
}
