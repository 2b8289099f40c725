// When a version of a limit was announced, from when on it holds, and whose it is, as operators read it.
import type { AnnouncedVersion } from '../gateway/announced-versions.ts';
import { isoTime } from '../wire/times.ts';

export function announcedView({ announcedAtMs, effectiveAtMs, actor, reason }: AnnouncedVersion) {
  return {
    announced_at: isoTime(announcedAtMs),
    announced_at_ms: announcedAtMs,
    effective_at: isoTime(effectiveAtMs),
    effective_at_ms: effectiveAtMs,
    actor,
    reason,
  };
}
