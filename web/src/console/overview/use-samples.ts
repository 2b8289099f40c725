// The charts of the overview: samples that the server keeps, read once and then from the last one on.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { useEffect, useState } from 'react';
import { isIdle } from '../activity.ts';
import { call } from '../plane.ts';

export type SampleLine = OutputOf<OperatorOperations['getSamples']>['lines'][number];

export interface Point {
  readonly atMs: number;
  readonly values: Readonly<Partial<Record<SampleLine, number | null>>>;
}

const EVERY_MS = 10_000;
const SPAN_MS = 24 * 3_600_000;
const THOUSAND = 1_000;

export function usePoints(): readonly Point[] {
  const [points, setPoints] = useState<readonly Point[]>([]);
  useEffect(() => {
    let known: readonly Point[] = [];
    const look = async (): Promise<void> => {
      if (isIdle()) return;
      const lastMs = known.at(-1)?.atMs ?? 0;
      const { lines, samples } = await call('getSamples', { query: { after_ms: lastMs } });
      const read = samples.map(({ at_ms: atMs, values }) => ({
        atMs,
        values: Object.fromEntries(
          lines.map((line, at) => [line, inUnits(values[at] ?? null)] as const),
        ),
      }));
      // An answer that was overtaken by another brings samples that are known.
      const fresh = read.filter(({ atMs }) => atMs > (known.at(-1)?.atMs ?? 0));
      if (fresh.length === 0) return;
      known = [...known, ...fresh].filter(({ atMs }) => atMs > fresh.at(-1)!.atMs - SPAN_MS);
      setPoints(known);
    };
    // A look that fails leaves a gap, and the age of the last sample says so.
    const tryLook = (): void => {
      look().catch(() => undefined);
    };
    const timer = setInterval(tryLook, EVERY_MS);
    tryLook();
    return () => clearInterval(timer);
  }, []);
  return points;
}

/** A float that places a point on a drawing, and is no money. */
function inUnits(value: number | null): number | null {
  return value === null ? null : value / THOUSAND;
}
