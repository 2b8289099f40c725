// Engine types with their brands taken off: the reference shares shapes with the engine, never code.
import type {
  Answer,
  Command,
  Event,
  LedgerPosted,
  Parameters,
  Rejection,
  Result,
  SpelledTrade,
  TemplateDefinition,
  TradeExecuted,
} from '@sibyl/engine';

export type Plain<T> = T extends bigint
  ? bigint
  : T extends number
    ? number
    : T extends { readonly __brand: string }
      ? string
      : T extends object
        ? { readonly [K in keyof T]: Plain<T[K]> }
        : T;

export type PlainCommand = Plain<Command>;
export type PlainEvent = Plain<
  Exclude<Event, LedgerPosted | TradeExecuted> | PlainEntry | SpelledTrade
>;
/** An entry as the lists that the engine's own can be read as. */
type PlainEntry = Pick<LedgerPosted, 'type' | 'reason' | 'reference' | 'accounts' | 'amounts'>;
export type PlainAnswer = Plain<Answer>;
export type PlainResult = Plain<Result>;
export type PlainTemplate = Plain<TemplateDefinition>;
export type PlainParameters = Plain<Parameters>;
export type PlainRejection = Plain<Rejection>;

/** The command of one type, header included. */
export type CommandOf<T extends PlainCommand['type']> = Extract<PlainCommand, { readonly type: T }>;
export type EventOf<T extends PlainEvent['type']> = Extract<PlainEvent, { readonly type: T }>;

export type PlainOrderView = EventOf<'order_placed'>['order'];
export type PlainMakerFill = EventOf<'trade_executed'>['makers'][number];
export type PlainSplit = EventOf<'trade_executed'>['split'];
export type PlainSide = 'buy' | 'sell';
export type MarketStatus = EventOf<'market_status_changed'>['from'];
export type CancelReason = EventOf<'order_cancelled'>['reason'];
