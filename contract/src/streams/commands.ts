// The six commands a client may send, each with its closed frame and the replies it can get.

import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { limits } from '../limits.ts';
import { epochMs, oneOf } from '../primitives.ts';
import { commandId, epoch } from './frame.ts';

export type SocketCommand<Name extends string = string, Frame extends TObject = TObject> = {
  readonly name: Name;
  readonly description: string;
  readonly frame: Frame;
  /** Types of the messages that answer it; `error` may always come instead. */
  readonly replies: readonly string[];
  readonly example: Static<Frame>;
};

const { streamsMax, graceMsDefault, graceMsMax, tokenLengthMax } = limits.socket;
const { snapshotBytesBurst, snapshotBytesPerSecond } = limits.socket;

// Any text, because a wrong name is answered in `rejected` and does not spoil the others.
const askedName = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Stream, or stream:market_id, or stream:market_id:outcome_id.',
});

const names = Type.Array(askedName, {
  minItems: 1,
  maxItems: streamsMax,
  description: 'Names of streams; send many in one command.',
});

const lastSeqs = Type.Unsafe<Record<string, number>>({
  type: 'object',
  minProperties: 1,
  maxProperties: streamsMax,
  additionalProperties: { type: 'integer', minimum: 0 },
  description: 'For each stream the last number you have.',
});

export const socketCommands = Object.freeze({
  AUTH: command({
    name: 'AUTH',
    description:
      'Prove who you are. Again with the same account it renews the credential; another account is STATE_CONFLICT.',
    fields: {
      token: Type.String({
        minLength: 1,
        maxLength: tokenLengthMax,
        description: 'An API key, an access token or a session token.',
      }),
      cancel_on_disconnect: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Cancel all open orders of the account, with the reason `disconnect`, when the last connection that asked for it with this credential is lost, a crash of the server included. Needs the permission trade. Only AUTH without it on the same connection takes it back.',
        }),
      ),
      grace_ms: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: graceMsMax,
          default: graceMsDefault,
          description:
            'How long cancel_on_disconnect waits for you to come back, with the same credential and cancel_on_disconnect again.',
        }),
      ),
    },
    replies: ['authenticated'],
    example: { op: 'AUTH', token: `sk_live_EXAMPLEexample00_${'x'.repeat(43)}` },
  }),
  SUBSCRIBE: command({
    name: 'SUBSCRIBE',
    description: `Listen to streams. What cannot be had is listed in the reply with its code. Snapshots beyond ${snapshotBytesBurst / 1_048_576} MiB come at ${snapshotBytesPerSecond / 1_024} KiB a second to one address.`,
    fields: {
      params: names,
      snapshot: Type.Optional(
        Type.Boolean({ default: true, description: 'Send the state first, where there is one.' }),
      ),
    },
    replies: ['subscribed'],
    example: {
      op: 'SUBSCRIBE',
      id: 1,
      params: ['orderbook:m_0123456789abcdef:yes', 'ticker:m_0123456789abcdef'],
    },
  }),
  UNSUBSCRIBE: command({
    name: 'UNSUBSCRIBE',
    description: 'Stop listening.',
    fields: { params: names },
    replies: ['unsubscribed'],
    example: { op: 'UNSUBSCRIBE', id: 2, params: ['ticker:m_0123456789abcdef'] },
  }),
  LOCALE: command({
    name: 'LOCALE',
    description: 'The language of titles and messages; nothing else changes.',
    fields: {
      locale: Type.String({
        minLength: 2,
        maxLength: 35,
        description: 'A BCP 47 tag such as de-AT; the nearest language there is will be used.',
      }),
    },
    replies: ['locale_set'],
    example: { op: 'LOCALE', id: 3, locale: 'de-AT' },
  }),
  PING: command({
    name: 'PING',
    description: 'Measure the way there and back.',
    fields: { client_ts_ms: Type.Optional(epochMs('Your clock; it comes back unchanged.')) },
    replies: ['pong'],
    example: { op: 'PING', id: 4, client_ts_ms: 1_794_657_600_000 },
  }),
  RESUME: command({
    name: 'RESUME',
    description:
      'Listen again where you left off: what was missed is sent again, or a resync is announced.',
    fields: { epoch: Type.Optional(epoch), streams: lastSeqs },
    replies: ['resumed', 'resync_required'],
    example: {
      op: 'RESUME',
      id: 5,
      epoch: 'e_01J0000000000010',
      streams: { 'orderbook:m_0123456789abcdef:yes': 42 },
    },
  }),
});

export type SocketCommands = typeof socketCommands;
export type CommandName = keyof SocketCommands;
/** The frame of a command as a client sends it. */
export type CommandFrame<Name extends CommandName> = Static<SocketCommands[Name]['frame']>;

/** The name of a command stands under `op` or under `method`; both must then say the same. */
function command<const Name extends string, Fields extends TProperties>(definition: {
  readonly name: Name;
  readonly description: string;
  readonly fields: Fields;
  readonly replies: readonly string[];
  readonly example: Static<ReturnType<typeof frame<Name, Fields>>>;
}): SocketCommand<Name, ReturnType<typeof frame<Name, Fields>>> {
  const { name, description, fields, replies, example } = definition;
  return Object.freeze({ name, description, frame: frame(name, fields), replies, example });
}

function frame<const Name extends string, Fields extends TProperties>(name: Name, fields: Fields) {
  return Type.Object(
    {
      op: Type.Optional(oneOf([name])),
      method: Type.Optional(oneOf([name], { description: 'Another word for op.' })),
      id: Type.Optional(commandId),
      ...fields,
    },
    {
      title: `${name.charAt(0)}${name.slice(1).toLowerCase()}Command`,
      additionalProperties: false,
      anyOf: [{ required: ['op'] }, { required: ['method'] }],
    },
  );
}
