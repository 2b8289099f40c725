// Work in the background as the operator plane shows it.
import type { BackgroundRun } from '@sibyl/lane';
import { isoTime, isoTimeOrNull } from '../wire/times.ts';

export function runView({ headSeq, startedAtMs, endedAtMs, ...rest }: BackgroundRun) {
  return {
    ...rest,
    head_seq: headSeq,
    started_at: isoTime(startedAtMs),
    started_at_ms: startedAtMs,
    ended_at: isoTimeOrNull(endedAtMs),
    ended_at_ms: endedAtMs,
  };
}
