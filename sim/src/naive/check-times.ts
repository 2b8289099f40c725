// When makers are checked: once in every minute, at a second that only the holder of a secret knows (QS4).
import { createHmac } from 'node:crypto';

export interface CheckClock {
  readonly sampleMs: number;
  readonly lookSecret: string;
}

/** The check that belongs to a mark. */
export function checkMs(clock: CheckClock, marketId: string, mark: number): number {
  const digest = createHmac('sha256', clock.lookSecret).update(`${marketId}|${mark}`).digest();
  const second = digest.readUInt32BE(0) % 60;
  return mark * clock.sampleMs + second * Math.floor(clock.sampleMs / 60);
}

/** The first check after a moment that belongs to the given mark or a later one. */
export function nextCheckMs(
  clock: CheckClock,
  marketId: string,
  afterMs: number,
  firstMark: number,
): number {
  const mark = Math.max(firstMark, Math.floor(afterMs / clock.sampleMs));
  const here = checkMs(clock, marketId, mark);
  return here > afterMs ? here : checkMs(clock, marketId, mark + 1);
}

/** The last check up to a moment, that moment included. */
export function lastCheckMs(clock: CheckClock, marketId: string, untilMs: number): number {
  const mark = Math.floor(untilMs / clock.sampleMs);
  const here = checkMs(clock, marketId, mark);
  return here <= untilMs ? here : checkMs(clock, marketId, mark - 1);
}

export const lastMarkMs = (clock: CheckClock, untilMs: number): number =>
  untilMs - (untilMs % clock.sampleMs);
