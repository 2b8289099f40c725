// The last 24 hours of the service in a few figures, for the charts of the console: taken every half minute, kept in memory.
import { sampleLines } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { quantileOf, readMetrics, type Sample, sumOf } from './metrics-text.ts';

export interface ServiceSample {
  readonly atMs: number;
  /** In thousandths, in the order of the lines; null where nothing was measured. */
  readonly values: readonly (number | null)[];
}

export const SAMPLE_EVERY_MS = 30_000;
const SAMPLES_MAX = (24 * 3_600_000) / SAMPLE_EVERY_MS;

interface Look {
  readonly atMs: number;
  readonly metrics: readonly Sample[];
}

export class Samples {
  readonly #clock: Pick<Clock, 'wallMs'>;
  readonly #render: () => Promise<string>;
  #kept: ServiceSample[] = [];
  #latest: Look | null = null;

  constructor(clock: Pick<Clock, 'wallMs'>, render: () => Promise<string>) {
    this.#clock = clock;
    this.#render = render;
  }

  /** The first look has nothing to compare with, and gives no sample. */
  async take(): Promise<void> {
    const now = { atMs: this.#clock.wallMs(), metrics: readMetrics(await this.#render()) };
    const before = this.#latest;
    this.#latest = now;
    // A clock that was set back gives no rate.
    if (before === null || now.atMs <= before.atMs) return;
    const figures = figuresBetween(before, now);
    const values = sampleLines.map((line) => thousandths(figures[line]));
    this.#kept.push({ atMs: now.atMs, values });
    if (this.#kept.length > SAMPLES_MAX) this.#kept.shift();
  }

  /** The oldest first. */
  after(atMs: number): readonly ServiceSample[] {
    return this.#kept.filter((sample) => sample.atMs > atMs);
  }
}

const BYTES_PER_MB = 1_048_576;
const MS_PER_S = 1_000;
const P99 = 0.99;

type Figures = Readonly<Record<(typeof sampleLines)[number], number | null>>;

function figuresBetween(before: Look, now: Look): Figures {
  const seconds = (now.atMs - before.atMs) / MS_PER_S;
  const rate = (name: string, labels?: Readonly<Record<string, string>>): number =>
    Math.max(0, sumOf(now.metrics, name, labels) - sumOf(before.metrics, name, labels)) / seconds;
  const sum = (name: string): number => sumOf(now.metrics, name);
  const commands = (lane: string): number => rate('sibyl_lane_seq', { lane, kind: 'applied' });
  const p99 = quantileOf(before.metrics, now.metrics, 'sibyl_http_request_seconds', P99);
  return {
    orders_live: rate('sibyl_orders_total', { lane: 'live' }),
    orders_sandbox: rate('sibyl_orders_total', { lane: 'sandbox' }),
    commands_live: commands('live'),
    commands_sandbox: commands('sandbox'),
    requests: rate('sibyl_http_requests_total'),
    p99_ms: p99 === null ? null : p99 * MS_PER_S,
    memory_mb: sum('process_resident_memory_bytes') / BYTES_PER_MB,
    connections: sum('sibyl_connections'),
    sockets: sum('sibyl_sockets'),
    history_lag: sum('sibyl_projection_lag'),
    webhook_attempts: rate('sibyl_webhook_attempts_total'),
    journal_mb: sum('sibyl_journal_bytes') / BYTES_PER_MB,
    disk_free_mb: sum('sibyl_disk_free_bytes') / BYTES_PER_MB,
  };
}

function thousandths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1_000);
}
