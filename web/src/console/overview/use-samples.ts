// Looks at the metrics every two seconds while the overview is open, and remembers the last five minutes.
import { useEffect, useSyncExternalStore } from 'react';
import { isIdle } from '../activity.ts';
import { quantileOf, readMetrics, type Sample, sumOf } from './metrics.ts';

export interface Point {
  readonly atMs: number;
  /** By the id of a chart's line. */
  readonly values: Readonly<Record<string, number | null>>;
}

const EVERY_MS = 2_000;
const POINTS_MAX = 150;

let points: readonly Point[] = [];
let latest: { readonly atMs: number; readonly samples: readonly Sample[] } | null = null;
const listeners = new Set<() => void>();

export function usePoints(): readonly Point[] {
  useEffect(() => {
    const timer = setInterval(look, EVERY_MS);
    look();
    return () => clearInterval(timer);
  }, []);
  return useSyncExternalStore(subscribe, () => points);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function look(): void {
  if (isIdle()) return;
  // A look that fails leaves a gap, and the age of the last one says so.
  read().catch(() => undefined);
}

async function read(): Promise<void> {
  const answer = await fetch('/metrics', { signal: AbortSignal.timeout(EVERY_MS) });
  const now = { atMs: Date.now(), samples: readMetrics(await answer.text()) };
  const before = latest;
  latest = now;
  if (before === null) return;
  const values = valuesOf(before.samples, now.samples, (now.atMs - before.atMs) / 1_000);
  points = [...points, { atMs: now.atMs, values }].slice(-POINTS_MAX);
  for (const listener of listeners) listener();
}

const BYTES_PER_MB = 1_048_576;
const MS_PER_S = 1_000;

function valuesOf(
  before: readonly Sample[],
  after: readonly Sample[],
  seconds: number,
): Point['values'] {
  const rate = (name: string, labels?: Readonly<Record<string, string>>): number =>
    Math.max(0, (sumOf(after, name, labels) - sumOf(before, name, labels)) / seconds);
  const slowest = quantileOf(before, after, 'sibyl_http_request_seconds', 0.99);
  return {
    orders_live: rate('sibyl_orders_total', { lane: 'live' }),
    orders_sandbox: rate('sibyl_orders_total', { lane: 'sandbox' }),
    commands_live: rate('sibyl_lane_seq', { lane: 'live', kind: 'applied' }),
    commands_sandbox: rate('sibyl_lane_seq', { lane: 'sandbox', kind: 'applied' }),
    requests: rate('sibyl_http_requests_total'),
    p99: slowest === null ? null : slowest * MS_PER_S,
    memory: sumOf(after, 'process_resident_memory_bytes') / BYTES_PER_MB,
    connections: sumOf(after, 'sibyl_connections'),
    sockets: sumOf(after, 'sibyl_sockets'),
    lag: sumOf(after, 'sibyl_projection_lag'),
    deliveries: rate('sibyl_webhook_attempts_total'),
    journal: sumOf(after, 'sibyl_journal_bytes') / BYTES_PER_MB,
    disk: sumOf(after, 'sibyl_disk_free_bytes') / BYTES_PER_MB,
  };
}
