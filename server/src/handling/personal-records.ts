// What is kept of a user beside the profile, as handlers see it.
import type { ApiKey, Destination, Webhook } from '@sibyl/contract';
import type { UserRecord } from '../ports/platform.ts';

export interface ShownRecords {
  readonly keys: readonly ApiKey[];
  readonly webhooks: readonly Webhook[];
  readonly destinations: readonly Destination[];
}

export interface PersonalRecords {
  show(user: UserRecord): Promise<ShownRecords>;
  /** What is not in the platform store: webhooks with what was sent to them, answers that were kept, the log of requests. */
  erase(user: UserRecord): Promise<void>;
}
