// The frame around every message of the socket, and the small schemas its messages share.

import { type TSchema, type TString, type TUnsafe, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { limits } from '../limits.ts';
import { epochMs, oneOf } from '../primitives.ts';
import type { AnyStreamMessage } from './define.ts';
import { streamNameSchema } from './names.ts';

export const sequence = Type.Integer({
  format: 'int64',
  minimum: 0,
  description: 'Number within the stream: from 1, without a gap; 0 before the first message.',
});

export const epoch: TString = Type.String({
  title: 'Epoch',
  minLength: 1,
  maxLength: 64,
  description: 'Numbers of different epochs do not continue each other.',
});

/** Whose message it is, where that is not the account itself. */
export const ofSubaccount = Type.Optional(
  idOf('subaccount', 'The one of your subaccounts that it is about; absent for your own account.'),
);

/** The client's own name for a command; the reply carries it. */
export const commandId: TUnsafe<string | number> = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  maxLength: limits.socket.commandIdLengthMax,
  description: 'Your own name for the command; the reply carries it.',
});

/** What a message says in words; programs read its other fields. */
export const peopleText = Type.String({
  description: 'For people, in the language of the connection.',
});

export const echoedId: TUnsafe<string | number | null> = Type.Unsafe<string | number | null>({
  type: ['string', 'integer', 'null'],
  description: 'The id of the command; null if it had none.',
});

/** The schema of a whole frame of this message. */
export function frameOf(message: AnyStreamMessage): TSchema {
  return Type.Object({
    type: oneOf([message.type]),
    ...(isStreamed(message)
      ? {
          stream: streamNameSchema,
          seq: sequence,
          prev_seq: Type.Optional({
            ...sequence,
            description:
              'The number before this message; absent in a snapshot, which replaces what was known.',
          }),
        }
      : {}),
    // The one field outside of data, where the specification shows it.
    ...(message.type === 'authenticated' ? { user_id: Type.String() } : {}),
    ts_ms: epochMs('When the server made the message.'),
    data: message.data,
  });
}

/** A whole frame of this message, as an example. */
export function exampleFrame(message: AnyStreamMessage): Readonly<Record<string, unknown>> {
  const user = message.type === 'authenticated' ? userOf(message.example) : {};
  return {
    type: message.type,
    ...(isStreamed(message) ? exampleNumbers(message) : {}),
    ...user,
    ts_ms: 1_794_657_600_000,
    data: message.example,
  };
}

/** Whether the message belongs to a stream one subscribes to, and is numbered. */
export function isStreamed(message: Pick<AnyStreamMessage, 'stream'>): boolean {
  return message.stream !== 'session' && message.stream !== 'broadcast';
}

function exampleNumbers({ type, stream }: AnyStreamMessage): Readonly<Record<string, unknown>> {
  const isOfOutcome = stream === 'orderbook' || stream === 'ticker';
  const isSnapshot = type === 'orderbook' || type === 'account' || type === 'markets_snapshot';
  return {
    stream: isOfOutcome ? `${stream}:m_0123456789abcdef:yes` : stream,
    seq: isSnapshot ? 42 : 43,
    ...(isSnapshot ? {} : { prev_seq: 42 }),
  };
}

function userOf(example: unknown): { readonly user_id?: unknown } {
  const isRecord = typeof example === 'object' && example !== null && 'user_id' in example;
  return isRecord ? { user_id: example.user_id } : {};
}
