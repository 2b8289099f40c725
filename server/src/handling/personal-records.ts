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

export interface PersonalRecords {
  show(user: UserRecord, lanes: Readonly<Partial<Record<LaneName, Lane>>>): Promise<ShownRecords>;
  /** What is not in the platform store: webhooks with what was sent to them, answers that were kept, the log of requests. */
  erase(user: UserRecord): Promise<void>;
}
