// Who a connection speaks for, and what of that its streams need.
import type { Standing } from '../credential.ts';
import type { AccountId } from '@sibyl/engine';
import type { StreamHub } from '../../streams/hub.ts';
import type { UserRecord } from '../../ports/platform.ts';

export interface Identity {
  readonly standing: Standing;
  readonly accountId: AccountId;
  /** Of the lane that the credential reaches. */
  readonly hub: StreamHub;
  readonly user: UserRecord | null;
}

/** What the sockets of one credential are counted by, and found by when it ends. */
export function credentialName({ standing }: Identity): string {
  const { credential } = standing;
  return credential.kind === 'key' ? `key ${credential.publicId}` : `session ${credential.sessionId}`;
}
