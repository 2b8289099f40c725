// Messages of the connection itself: greeting, replies, liveness, errors and farewell.

import { Type } from 'typebox';
import { errorCodes } from '../errors.ts';
import { accountName } from '../ids.ts';
import { tiers } from '../limits.ts';
import { epochMs, instant, nullable, nullableInstant, oneOf, openObject } from '../primitives.ts';
import { environments } from '../resources/api-key.ts';
import { permissions } from '../scopes.ts';
import { message } from './define.ts';
import { echoedId, epoch, peopleText, sequence } from './frame.ts';
import { streamNameSchema } from './names.ts';

const session = { stream: 'session', visibility: 'any' } as const;
const count = Type.Integer({ minimum: 0 });
const exampleEpoch = 'e_01J0000000000010';
const exampleStream = 'orderbook:m_0123456789abcdef:yes';
const nowMs = 1_794_657_600_000;

const rejected = Type.Array(
  Type.Object(
    {
      stream: Type.String({ description: 'The name as it was asked for.' }),
      code: oneOf(errorCodes),
      message: Type.String(),
      details: Type.Optional(
        Type.Object(
          {
            field: Type.Literal('params'),
            streams: Type.Array(Type.String(), {
              description: 'The streams there are, or the forms that the named one has.',
            }),
          },
          { title: 'OfferedStreams' },
        ),
      ),
    },
    { title: 'RejectedStream' },
  ),
  { description: 'What was asked for and cannot be had, with the reason.' },
);

const welcome = message({
  ...session,
  type: 'welcome',
  description: 'First message of every connection: who you talk to, and what the limits are.',
  data: Type.Object(
    {
      connection_id: Type.String({ pattern: '^con_[0-9A-Za-z]{1,40}$' }),
      epoch,
      environment: oneOf(environments),
      api_version: Type.String(),
      server_ts_ms: epochMs('The clock of the server.'),
      heartbeat_interval_ms: count,
      resume_window_ms: count,
      resume_messages_max: count,
      limits: Type.Object(
        {
          max_streams: count,
          frames_per_sec: count,
          frames_burst: count,
          max_frame_bytes: count,
          max_queue_bytes: count,
        },
        { title: 'SocketLimits' },
      ),
    },
    { title: 'Welcome' },
  ),
  example: {
    connection_id: 'con_01J0000000000009',
    epoch: exampleEpoch,
    environment: 'sandbox',
    api_version: '1.0.0',
    server_ts_ms: nowMs,
    heartbeat_interval_ms: 5_000,
    resume_window_ms: 300_000,
    resume_messages_max: 10_000,
    limits: {
      max_streams: 200,
      frames_per_sec: 10,
      frames_burst: 20,
      max_frame_bytes: 16_384,
      max_queue_bytes: 1_048_576,
    },
  },
});

const authenticated = message({
  ...session,
  type: 'authenticated',
  description: 'AUTH succeeded; user_id stands at the top of the frame as well.',
  data: Type.Object(
    {
      id: echoedId,
      user_id: Type.String({ description: 'The user, or the anonymous sandbox account.' }),
      account_id: accountName(),
      tier: nullable(oneOf(tiers), 'The tier of the key; null for a session.'),
      permissions: Type.Array(oneOf(permissions)),
      ...nullableInstant('expires_at', 'When the credential ends; null if it does not.'),
      cancel_on_disconnect: Type.Boolean(),
      grace_ms: count,
    },
    { title: 'Authenticated' },
  ),
  example: {
    id: null,
    user_id: 'usr_01J0000000000005',
    account_id: 'acc_01J0000000000004',
    tier: 'self_serve',
    permissions: ['read', 'trade'],
    expires_at: null,
    expires_at_ms: null,
    cancel_on_disconnect: false,
    grace_ms: 5_000,
  },
});

const authExpiring = message({
  ...session,
  type: 'auth_expiring',
  visibility: 'private',
  description: 'Sent 60 s before the credential ends: send AUTH again until reauth_by_ms.',
  data: Type.Object(
    {
      ...instant('expires_at', 'When the credential ends.'),
      reauth_by_ms: epochMs('Until when AUTH keeps the private streams going.'),
      message: peopleText,
    },
    { title: 'AuthExpiring' },
  ),
  example: {
    expires_at: '2026-11-14T12:01:00.000Z',
    expires_at_ms: 1_794_657_660_000,
    reauth_by_ms: 1_794_657_660_000,
    message: 'The credential ends in 60 seconds; authenticate again.',
  },
});

export const revocationReasons = [
  'key_revoked',
  'token_revoked',
  'grant_revoked',
  'session_revoked',
  'expired',
] as const;

const authRevoked = message({
  ...session,
  type: 'auth_revoked',
  visibility: 'private',
  description: 'The credential is void: private streams are dropped, the connection closes.',
  data: Type.Object(
    {
      reason: oneOf(revocationReasons),
      streams: Type.Array(streamNameSchema, { description: 'The streams that were dropped.' }),
      message: peopleText,
    },
    { title: 'AuthRevoked' },
  ),
  example: { reason: 'key_revoked', streams: ['account'], message: 'The key was revoked.' },
});

const subscribed = message({
  ...session,
  type: 'subscribed',
  description: 'Reply to SUBSCRIBE; the snapshots follow.',
  data: Type.Object(
    {
      id: echoedId,
      epoch,
      streams: Type.Array(
        Type.Object(
          {
            stream: streamNameSchema,
            seq: sequence,
            snapshot: Type.Boolean({ description: 'A snapshot follows.' }),
          },
          { title: 'SubscribedStream' },
        ),
      ),
      rejected,
    },
    { title: 'Subscribed' },
  ),
  example: {
    id: 1,
    epoch: exampleEpoch,
    streams: [{ stream: exampleStream, seq: 42, snapshot: true }],
    rejected: [
      { stream: 'account', code: 'AUTH_REQUIRED', message: 'This operation needs a credential.' },
    ],
  },
});

const unsubscribed = message({
  ...session,
  type: 'unsubscribed',
  description: 'Reply to UNSUBSCRIBE.',
  data: Type.Object(
    {
      id: echoedId,
      streams: Type.Array(streamNameSchema, { description: 'Those that had been subscribed.' }),
    },
    { title: 'Unsubscribed' },
  ),
  example: { id: 2, streams: [exampleStream] },
});

const resumed = message({
  ...session,
  type: 'resumed',
  description: 'Reply to RESUME; the missed messages follow with their own numbers.',
  data: Type.Object(
    {
      id: echoedId,
      epoch,
      streams: Type.Array(
        Type.Object(
          { stream: streamNameSchema, from_seq: sequence, to_seq: sequence, replayed: count },
          { title: 'ResumedStream', description: 'from_seq is what you had, to_seq what is now.' },
        ),
      ),
      rejected,
    },
    { title: 'Resumed' },
  ),
  example: {
    id: 5,
    epoch: exampleEpoch,
    streams: [{ stream: exampleStream, from_seq: 42, to_seq: 45, replayed: 3 }],
    rejected: [],
  },
});

export const resyncReasons = ['gap', 'buffer_overrun', 'slow_consumer', 'epoch_changed'] as const;

const resyncRequired = message({
  ...session,
  type: 'resync_required',
  description: 'Messages of the stream are missing: forget what you know of it.',
  data: Type.Object(
    {
      stream: streamNameSchema,
      reason: oneOf(resyncReasons),
      last_seq: sequence,
      epoch,
      snapshot: Type.Boolean({
        description: 'A snapshot follows; otherwise read what you missed over REST.',
      }),
      message: peopleText,
    },
    { title: 'ResyncRequired' },
  ),
  example: {
    stream: exampleStream,
    reason: 'slow_consumer',
    last_seq: 1_042,
    epoch: exampleEpoch,
    snapshot: true,
    message: 'Messages were skipped because they were not read in time.',
  },
});

const localeSet = message({
  ...session,
  type: 'locale_set',
  description: 'Reply to LOCALE.',
  data: Type.Object(
    {
      id: echoedId,
      locale: Type.String({ description: 'The language in use from now on.' }),
      requested: Type.String({ description: 'The tag that was asked for.' }),
    },
    { title: 'LocaleSet' },
  ),
  example: { id: 3, locale: 'de', requested: 'de-AT' },
});

const pong = message({
  ...session,
  type: 'pong',
  description: 'Reply to PING.',
  data: Type.Object(
    {
      id: echoedId,
      client_ts_ms: nullable(epochMs('Your clock, unchanged.')),
      server_ts_ms: epochMs('The clock of the server.'),
    },
    { title: 'Pong' },
  ),
  example: { id: 4, client_ts_ms: nowMs, server_ts_ms: nowMs },
});

const heartbeat = message({
  ...session,
  type: 'heartbeat',
  description:
    'Every 5 s: the last number sent on every subscribed stream, so that loss shows on a quiet one too.',
  data: Type.Object(
    {
      server_ts_ms: epochMs('The clock of the server.'),
      seqs: Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: { type: 'integer', minimum: 0 },
        description: 'Last number by stream.',
      }),
    },
    { title: 'SocketHeartbeat' },
  ),
  example: { server_ts_ms: nowMs, seqs: { [exampleStream]: 42 } },
});

const error = message({
  ...session,
  type: 'error',
  description: 'A frame was not understood or not allowed; the connection goes on.',
  data: Type.Object(
    {
      id: echoedId,
      op: nullable(Type.String({ description: 'The command; null if it could not be read.' })),
      code: oneOf(errorCodes, { description: 'The same catalogue as over REST.' }),
      message: Type.String({ description: 'For people; never parse it.' }),
      details: Type.Optional(openObject('What the code is about; its keys depend on the code.')),
    },
    { title: 'SocketError' },
  ),
  example: {
    id: 1,
    op: 'SUBSCRIBE',
    code: 'MISSING_FIELD',
    message: 'A required field is absent.',
    details: { field: 'params' },
  },
});

const throttled = message({
  ...session,
  type: 'throttled',
  description: 'Too many frames: so many were dropped unread.',
  data: Type.Object(
    { retry_after_ms: count, frames_dropped: count, message: peopleText },
    { title: 'Throttled' },
  ),
  example: {
    retry_after_ms: 100,
    frames_dropped: 3,
    message: 'Too many frames: 3 were dropped. Wait 100 ms.',
  },
});

const goingAway = message({
  ...session,
  type: 'going_away',
  description: 'The server is about to close this connection.',
  data: Type.Object(
    {
      reason: oneOf(['shutdown', 'restart', 'rebalance']),
      reconnect_after_ms: count,
      resume_supported: Type.Boolean({
        description: 'False if the numbers will begin anew, as after a restart.',
      }),
      message: peopleText,
    },
    { title: 'GoingAway' },
  ),
  example: {
    reason: 'restart',
    reconnect_after_ms: 1_000,
    resume_supported: false,
    message: 'The connection is about to close; connect again in 1 second.',
  },
});

export const sessionMessages = Object.freeze({
  welcome,
  authenticated,
  auth_expiring: authExpiring,
  auth_revoked: authRevoked,
  subscribed,
  unsubscribed,
  resumed,
  resync_required: resyncRequired,
  locale_set: localeSet,
  pong,
  heartbeat,
  error,
  throttled,
  going_away: goingAway,
});
