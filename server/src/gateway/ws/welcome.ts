// The first messages of a connection: when it is opened, and when it has authenticated.
import { apiVersion, limits, type StreamData } from '@sibyl/contract';
import { hidesPerson } from '../../handling/credentials.ts';
import type { LaneName } from '../../handling/handler.ts';
import { isoTimeOrNull } from '../../wire/times.ts';
import type { CommandId } from './command-frame.ts';
import type { Identity } from './identity.ts';

const { socket: bounds } = limits;

export function welcomeData(
  connectionId: string,
  epoch: string,
  environment: LaneName,
  nowMs: number,
): StreamData<'welcome'> {
  return {
    connection_id: connectionId,
    epoch,
    environment,
    api_version: apiVersion,
    server_ts_ms: nowMs,
    heartbeat_interval_ms: bounds.heartbeatIntervalMs,
    resume_window_ms: bounds.replayWindowMs,
    resume_messages_max: bounds.replayMessagesMax,
    limits: {
      max_streams: bounds.streamsMax,
      frames_per_sec: bounds.framesPerSecond,
      frames_burst: bounds.framesBurst,
      max_frame_bytes: bounds.frameBytesMax,
      max_queue_bytes: bounds.queueBytesMax,
    },
  };
}

export function authenticatedData(
  id: CommandId,
  { accountId, grant }: Identity,
  cancelsOnDisconnect: boolean,
  graceMs: number,
): StreamData<'authenticated'> {
  const { credential, tier, permissions } = grant;
  return {
    id,
    // An app and a subaccount's key learn nothing of the person: they are told of the account alone.
    user_id: hidesPerson(credential) ? accountId : (credential.userId ?? accountId),
    account_id: accountId,
    tier,
    permissions: [...permissions],
    expires_at: isoTimeOrNull(credential.expiresAtMs),
    expires_at_ms: credential.expiresAtMs,
    cancel_on_disconnect: cancelsOnDisconnect,
    grace_ms: graceMs,
  };
}
