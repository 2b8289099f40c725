// What is kept of a user beside the profile, as handlers see it.
import type { OperationOutput } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import type { UserRecord } from '../ports/platform.ts';

export type ShownRecords = Pick<
  OperationOutput<'exportData'>,
  | 'keys'
  | 'webhooks'
  | 'builder'
  | 'apps'
  | 'destinations'
  | 'withdrawals'
  | 'deposits'
  | 'own_limits'
>;

export type PausedWebhooks = OperationOutput<'changePassword'>['webhooks_paused'];

export interface PersonalRecords {
  show(user: UserRecord, lanes: Readonly<Partial<Record<LaneName, Lane>>>): Promise<ShownRecords>;
  /** Pauses each active webhook that does not stem from the kept session, with all of them if none is kept. */
  pauseWebhooks(user: UserRecord, keptSessionId: string | null): Promise<PausedWebhooks>;
  /** What is not in the platform store: webhooks with what was sent to them, answers that were kept, the log of requests. */
  erase(user: UserRecord): Promise<void>;
}
