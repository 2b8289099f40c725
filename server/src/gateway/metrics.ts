// Prometheus metrics of the gateway and of the lanes behind it.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { LaneName } from '../handling/handler.ts';

export interface LaneGaugeSource {
  readonly name: LaneName;
  status(): { readonly state: string; readonly seq: number; readonly durableSeq: number };
}

const LANE_STATES = ['recovering', 'running', 'read_only', 'stopped'] as const;

/** From a tenth of a millisecond to ten seconds. */
const SECONDS = [
  0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

/** Counts of one operation and code; plain numbers, because looking up labels costs more than counting. */
interface Tally {
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  count: number;
}

/** Counts of one operation by how long its answers took; the last bucket takes all that is longer. */
interface Latency {
  readonly buckets: Uint32Array;
  readonly tallies: Map<string, Tally>;
  sum: number;
  count: number;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #latencies = new Map<string, Latency>();

  constructor(lanes: readonly LaneGaugeSource[]) {
    collectDefaultMetrics({ register: this.#registry });
    for (const register of [addLaneState, addLaneSeq]) register(this.#registry, lanes);
  }

  /** `code` is `ok` for a success. */
  observe(operation: string, status: number, code: string, seconds: number): void {
    let latency = this.#latencies.get(operation);
    if (latency === undefined) {
      const buckets = new Uint32Array(SECONDS.length + 1);
      latency = { buckets, tallies: new Map(), sum: 0, count: 0 };
      this.#latencies.set(operation, latency);
    }
    let bucket = 0;
    while (bucket < SECONDS.length && seconds > SECONDS[bucket]!) bucket += 1;
    latency.buckets[bucket] = latency.buckets[bucket]! + 1;
    latency.sum += seconds;
    latency.count += 1;
    const tally = latency.tallies.get(code);
    if (tally === undefined) latency.tallies.set(code, { operation, status, code, count: 1 });
    else tally.count += 1;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** For gauges of other parts of the process. */
  get registry(): Registry {
    return this.#registry;
  }

  async render(): Promise<string> {
    const rest = await this.#registry.metrics();
    return [...this.#requestLines(), ...this.#latencyLines(), rest].join('\n');
  }

  *#requestLines(): Generator<string> {
    yield '# HELP sibyl_http_requests_total Answers by operation, status and error code.';
    yield '# TYPE sibyl_http_requests_total counter';
    for (const { tallies } of this.#latencies.values()) {
      for (const { operation, status, code, count } of tallies.values()) {
        const labels = `operation="${operation}",status="${status}",code="${code}"`;
        yield `sibyl_http_requests_total{${labels}} ${count}`;
      }
    }
  }

  *#latencyLines(): Generator<string> {
    yield '# HELP sibyl_http_request_seconds Time from the head of a request to the end of its answer.';
    yield '# TYPE sibyl_http_request_seconds histogram';
    for (const [operation, { buckets, sum, count }] of this.#latencies) {
      let below = 0;
      for (const [index, bound] of SECONDS.entries()) {
        below += buckets[index]!;
        yield `sibyl_http_request_seconds_bucket{le="${bound}",operation="${operation}"} ${below}`;
      }
      yield `sibyl_http_request_seconds_bucket{le="+Inf",operation="${operation}"} ${count}`;
      yield `sibyl_http_request_seconds_sum{operation="${operation}"} ${sum}`;
      yield `sibyl_http_request_seconds_count{operation="${operation}"} ${count}`;
    }
  }
}

function addLaneState(registry: Registry, lanes: readonly LaneGaugeSource[]): void {
  const gauge: Gauge<'lane' | 'state'> = new Gauge({
    name: 'sibyl_lane_state',
    help: '1 for the state that a lane is in.',
    labelNames: ['lane', 'state'],
    registers: [registry],
    collect: () => {
      for (const lane of lanes) {
        const current = lane.status().state;
        for (const state of LANE_STATES) {
          gauge.set({ lane: lane.name, state }, state === current ? 1 : 0);
        }
      }
    },
  });
}

function addLaneSeq(registry: Registry, lanes: readonly LaneGaugeSource[]): void {
  const gauge: Gauge<'lane' | 'kind'> = new Gauge({
    name: 'sibyl_lane_seq',
    help: 'Sequence number applied and made durable.',
    labelNames: ['lane', 'kind'],
    registers: [registry],
    collect: () => {
      for (const lane of lanes) {
        const { seq, durableSeq } = lane.status();
        gauge.set({ lane: lane.name, kind: 'applied' }, seq);
        gauge.set({ lane: lane.name, kind: 'durable' }, durableSeq);
      }
    },
  });
}
