// Whom a connection is authenticated as, and what its streams need to know of that.

import type { StreamData } from '@sibyl/contract';
import type { AccountId, State } from '@sibyl/engine';
import type { TokenCredential } from '../../handling/handler.ts';
import type { PlatformStore, UserRecord } from '../../ports/platform.ts';
import type { StreamHub } from '../../streams/hub.ts';
import type { Grant } from '../credential.ts';
import type { RevocationReason } from './connection.ts';

export interface Identity {
  readonly grant: Grant;
  readonly accountId: AccountId;
  /** Of the lane that the credential reaches. */
  readonly hub: StreamHub;
  readonly user: UserRecord | null;
}

/** What the sockets of one credential are counted by, and found by when it ends. */
export function credentialName({ grant }: Identity): string {
  const { credential } = grant;
  switch (credential.kind) {
    case 'key':
      return `key ${credential.publicId}`;
    case 'session':
      return `session ${credential.sessionId}`;
    // Its tokens change while somebody stays connected.
    case 'token':
      return `grant ${credential.grantId}`;
  }
}

/** The account as its owner sees it; the modules know how. */
export type ShowIdentity = (
  state: State,
  identity: Pick<Identity, 'accountId' | 'grant' | 'user'>,
) => Pick<StreamData<'account'>, 'account' | 'balances'>;

/** Null if it is still good: the grant may have ended, or this one of its tokens. */
export async function voidTokenReason(
  { grants }: PlatformStore,
  { grantId, publicId }: TokenCredential,
): Promise<RevocationReason | null> {
  const grant = await grants.grantById(grantId);
  if (grant === null || grant.revokedAtMs !== null) return 'grant_revoked';
  const token = await grants.tokenById(publicId);
  return token === null || token.revokedAtMs !== null ? 'token_revoked' : null;
}
