// The alarm queue against sorting.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIMER_KINDS, type Timer, TimerQueue } from './timer-queue.ts';

const timers = fc.array(
  fc.record({
    dueMs: fc.nat(20),
    kind: fc.constantFrom(...TIMER_KINDS),
    subject: fc.constantFrom('a', 'b', 'c', 'd'),
  }),
  { maxLength: 60 },
);

function sorted(list: readonly Timer[]): readonly Timer[] {
  return [...list].sort(
    (a, b) =>
      a.dueMs - b.dueMs ||
      TIMER_KINDS.indexOf(a.kind) - TIMER_KINDS.indexOf(b.kind) ||
      (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0),
  );
}

/** Of each kind and subject the one that was set last. */
function latest(list: readonly Timer[]): readonly Timer[] {
  const byName = new Map(list.map((timer) => [`${timer.kind} ${timer.subject}`, timer]));
  return [...byName.values()];
}

function plain({ dueMs, kind, subject }: Timer): Timer {
  return { dueMs, kind, subject };
}

describe('timer queue', () => {
  it('[CM3] rings by due time, then kind, then subject, whatever the order of setting', () => {
    fc.assert(
      fc.property(timers, (list) => {
        const queue = new TimerQueue();
        for (const timer of list) queue.set(timer);
        const rung: Timer[] = [];
        for (let timer = queue.takeDue(20); timer !== null; timer = queue.takeDue(20)) {
          rung.push(timer);
        }
        expect(rung.map(plain)).toEqual(sorted(latest(list)));
        expect(queue.size).toBe(0);
      }),
    );
  });

  it('[CM3] nothing rings before its time', () => {
    fc.assert(
      fc.property(timers, fc.nat(20), (list, nowMs) => {
        const queue = new TimerQueue();
        for (const timer of list) queue.set(timer);
        let rung = 0;
        while (queue.takeDue(nowMs) !== null) rung += 1;
        expect(rung).toBe(latest(list).filter((timer) => timer.dueMs <= nowMs).length);
        const next = queue.nextDueMs();
        if (next !== null) expect(next).toBeGreaterThan(nowMs);
      }),
    );
  });

  it('[CM3] one that was taken back does not ring, and the others do in their order', () => {
    fc.assert(
      fc.property(timers, timers, fc.nat(20), (list, gone, nowMs) => {
        const queue = new TimerQueue();
        for (const timer of list) queue.set(timer);
        for (const { kind, subject } of gone) queue.clear(kind, subject);
        const left = latest(list).filter(
          (timer) =>
            !gone.some((each) => each.kind === timer.kind && each.subject === timer.subject),
        );
        expect(queue.size).toBe(left.length);
        const due = sorted(left).filter((timer) => timer.dueMs <= nowMs);
        expect(queue.due(nowMs)).toEqual(due);
        for (const timer of due) expect(plain(queue.takeDue(nowMs)!)).toEqual(timer);
        expect(queue.isDue(nowMs)).toBe(false);
      }),
    );
  });
});
