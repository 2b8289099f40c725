// When makers are looked at: once in every minute, at a second that only the holder of a secret knows (QS4).
import { createHmac } from 'node:crypto';

export interface LookClock {
  readonly sampleMs: number;
  readonly lookSecret: string;
}

/** The look that belongs to a mark. */
export function lookMs(clock: LookClock, marketId: string, mark: number): number {
  const digest = createHmac('sha256', clock.lookSecret).update(`${marketId}|${mark}`).digest();
  const second = digest.readUInt32BE(0) % 60;
  return mark * clock.sampleMs + second * Math.floor(clock.sampleMs / 60);
}

/** The first look after a moment that belongs to the given mark or a later one. */
export function nextLookMs(
  clock: LookClock,
  marketId: string,
  afterMs: number,
  firstMark: number,
): number {
  const mark = Math.max(firstMark, Math.floor(afterMs / clock.sampleMs));
  const here = lookMs(clock, marketId, mark);
  return here > afterMs ? here : lookMs(clock, marketId, mark + 1);
}

/** The last look up to a moment, that moment included. */
export function lastLookMs(clock: LookClock, marketId: string, untilMs: number): number {
  const mark = Math.floor(untilMs / clock.sampleMs);
  const here = lookMs(clock, marketId, mark);
  return here <= untilMs ? here : lookMs(clock, marketId, mark - 1);
}

export const lastMarkMs = (clock: LookClock, untilMs: number): number =>
  untilMs - (untilMs % clock.sampleMs);
