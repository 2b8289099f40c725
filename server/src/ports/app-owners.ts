// Whose an app is: what it earns is credited to its owner's account in the lane where it was earned.
import type { AccountIds } from './platform.ts';

export interface AppOwners {
  /** The owner's account in that lane; null for an app that nobody has. */
  ownerOf(appId: string, lane: keyof AccountIds): Promise<string | null>;
  /** Ids of the apps that are the user's. */
  appsOf(userId: string): Promise<readonly string[]>;
}
