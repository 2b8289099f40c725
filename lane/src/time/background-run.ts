// Work on a lane's past that goes on in the background: how far it is, and how it ended.

export interface BackgroundRun {
  readonly state: 'running' | 'done' | 'failed';
  readonly seq: number;
  readonly headSeq: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly actor: string;
  readonly reason: string;
  readonly error: string | null;
}
