// The vocabulary of the socket: a message is a plain frozen object with its schema and an example.

import type { Static, TSchema } from 'typebox';

/** Where a message rides: three groups of the connection itself, or a stream one subscribes to. */
export const channels = [
  'session',
  'broadcast',
  'ticker',
  'orderbook',
  'fast_tick',
  'markets_snapshot',
  'signals',
  'account',
  'trade_executed',
  'deposit',
  'rfq',
] as const;
export type Channel = (typeof channels)[number];

/** `any` concerns the connection itself; `public` needs no credential; `authenticated` any; `private` the owner's. */
export type Visibility = 'any' | 'public' | 'authenticated' | 'private';

/** The release that first sends it; `later` needs a source that is not built yet. */
export type Since = '0.3' | 'later';

export type StreamMessage<
  Type extends string = string,
  Data extends TSchema = TSchema,
  On extends Channel = Channel,
> = {
  readonly type: Type;
  readonly stream: On;
  readonly visibility: Visibility;
  readonly since: Since;
  readonly description: string;
  readonly data: Data;
  readonly example: Static<Data>;
};

/** A message of any shape, for code that walks all of them. */
export type AnyStreamMessage = Omit<StreamMessage, 'example'> & { readonly example: unknown };

/** Makes the frozen record of a message. */
export function message<const Type extends string, Data extends TSchema, const On extends Channel>(
  definition: Omit<StreamMessage<Type, Data, On>, 'since' | 'example'> & {
    readonly since?: Since;
    readonly example: Static<NoInfer<Data>>;
  },
): StreamMessage<Type, Data, On> {
  return Object.freeze({ since: '0.3', ...definition });
}
