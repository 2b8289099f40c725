// How time passes in a lane: journal time, and the clocks that stand still while nobody can trade (CM12).
import type { State } from './state.ts';

/** Everything up to the last recovery's own time was down time, also where ticks after it pass it. */
export function passTime(state: State, toMs: number): void {
  const fromMs = state.nowMs;
  if (toMs <= fromMs) return;
  const spanMs = toMs - fromMs;
  state.nowMs = toMs;
  if (state.readOnly) {
    noteIdle(state, fromMs, toMs);
    state.pausedMs += spanMs;
    return;
  }
  if (state.recoveredAtMs === 0) return;
  noteIdle(state, fromMs, fromMs + overlap(fromMs, toMs, state.recoveredAtMs));
  state.pausedMs += overlap(fromMs, toMs, graceEndMs(state));
}

/** Trading time stands still in this span: a market that trades counts it for nothing. */
function noteIdle({ idleSpans }: State, fromMs: number, toMs: number): void {
  if (fromMs === toMs) return;
  const last = idleSpans[idleSpans.length - 1];
  if (last?.toMs === fromMs) last.toMs = toMs;
  else idleSpans.push({ fromMs, toMs });
}

/** What challenge windows are measured in. */
export function windowTime(state: State): number {
  return state.nowMs - state.pausedMs;
}

/** Until when nothing is decided by default after the last recovery; 0 without one. */
export function graceEndMs(state: State): number {
  const { recoveredAtMs, parameters } = state;
  return recoveredAtMs === 0 ? 0 : recoveredAtMs + parameters.resolution.recoveryGraceMs;
}

/** The part of a span that lies before a moment. */
function overlap(fromMs: number, toMs: number, beforeMs: number): number {
  if (beforeMs <= fromMs) return 0;
  return (beforeMs < toMs ? beforeMs : toMs) - fromMs;
}
