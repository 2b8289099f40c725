// The shapes of requests and answers, taken from the contract; words in answers stay open to new ones.

import type * as contract from '@sibyl/contract';

export type { BatchItem, ErrorCode, OrderInput } from '@sibyl/contract';

export type OperationId = contract.OperationId;

/**
 * An answer as a client should read it: every closed set of words also admits a word that a later
 * server may add, so a `switch` needs a default and an upgrade of the server breaks nobody.
 */
export type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & Record<never, never>)
  : T extends object
    ? { [Key in keyof T]: Open<T[Key]> }
    : T;

export type Answer<Id extends OperationId> = Open<contract.OperationOutput<Id>>;
export type Item<Id extends OperationId> =
  Answer<Id> extends readonly (infer Entry)[] ? Entry : never;

export type Body<Id extends OperationId> = Part<Id, 'body'>;
export type Query<Id extends OperationId> = Part<Id, 'query'>;

type Part<Id extends OperationId, Name extends 'body' | 'query'> =
  contract.OperationInput<Id> extends { readonly [Key in Name]: infer Value } ? Value : never;

export type Market = Open<contract.Market>;
export type OrderBook = Open<contract.OrderBook>;
export type Candle = Open<contract.Candle>;
export type Trade = Open<contract.Trade>;
export type Template = Open<contract.Template>;
export type Order = Open<contract.Order>;
export type PlacedOrder = Open<contract.PlacedOrder>;
export type Fill = Open<contract.Fill>;
export type Position = Open<contract.Position>;
export type Account = Open<contract.Account>;
export type Balance = Open<contract.Balance>;
export type LedgerEntry = Open<contract.LedgerEntry>;
export type Conversion = Open<contract.Conversion>;
export type ApiKey = Open<contract.ApiKey>;
export type MintedKey = Open<contract.MintedKey>;
export type RevokedKey = Open<contract.RevokedKey>;
export type Session = Open<contract.Session>;
export type Factors = Open<contract.Factors>;
export type Passkey = Open<contract.Passkey>;
export type OpenSession = Open<contract.OpenSession>;
export type Profile = Open<contract.Profile>;
export type Subaccount = Open<contract.Subaccount>;
export type Transfer = Open<contract.Transfer>;
export type Destination = Open<contract.Destination>;
export type Deposit = Open<contract.Deposit>;
export type Withdrawal = Open<contract.Withdrawal>;
export type Health = Open<contract.Health>;
export type LqfConfig = Open<contract.LqfConfig>;
