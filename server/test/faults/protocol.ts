// The lines between the subject of a fault test and whoever drives it.
import type { Answer } from '@sibyl/engine';
import type { Submission } from '@sibyl/lane';

export interface SubjectOptions {
  readonly directory: string;
  readonly snapshotEvery: number;
  readonly checkpointPages: number;
  readonly reserveBytes: number;
  /** Commits without syncing: planted, to be found. */
  readonly isWeak: boolean;
  /** Ends at once when the lane stops, without letting SQLite close its files. */
  readonly isBrusque: boolean;
}

export type Request =
  | { readonly id: number; readonly kind: 'submit'; readonly submission: Submission }
  | { readonly id: number; readonly kind: 'state' }
  | { readonly id: number; readonly kind: 'close' };

export type Reply =
  | { readonly id: 0; readonly kind: 'ready'; readonly seq: number }
  /** A snapshot is durable. */
  | { readonly id: -1; readonly kind: 'saved'; readonly seq: number }
  | Done
  | { readonly id: number; readonly kind: 'refused'; readonly code: string }
  | { readonly id: number; readonly kind: 'state'; readonly hash: string }
  | { readonly id: number; readonly kind: 'closed' };

export interface Done {
  readonly id: number;
  readonly kind: 'done';
  readonly seq: number;
  /** Of the command's record. */
  readonly hash: string;
  readonly answer: Answer;
  readonly replayed: boolean;
}
