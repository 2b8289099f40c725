// Prometheus metrics of webhook delivery.
import { Counter, Gauge, type Registry } from 'prom-client';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import type { Delivery, DeliveryStatus } from './delivery.ts';

type Watched = Pick<Delivery, 'counts' | 'inFlight' | 'status'>;

export function addDeliveryMetrics(registry: Registry, delivery: Watched): void {
  const registers = [registry];
  const { counts } = delivery;
  const attempts = new Counter<'result'>({
    name: 'sibyl_webhook_attempts_total',
    help: 'Attempts to deliver, by class of the status or by what kept an answer away.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      for (const [result, count] of counts.attempts) attempts.inc({ result }, count);
    },
  });
  addTotal(registers, 'retries', 'Attempts after the first of a delivery.', () => counts.retries);
  addTotal(registers, 'exhausted', 'Deliveries that were given up.', () => counts.exhausted);
  addTotal(registers, 'disabled', 'Endpoints that were switched off.', () => counts.disabled);
  addStatus(registers, delivery);
}

function addTotal(registers: Registry[], name: string, help: string, count: () => number): void {
  new Counter({
    name: `sibyl_webhook_${name}_total`,
    help,
    registers,
    collect() {
      this.reset();
      this.inc(count());
    },
  });
}

/** One read of the store serves all gauges of a scrape; null while the store is away, which must not fail the other metrics. */
function addStatus(registers: Registry[], delivery: Watched): void {
  let reading: Promise<DeliveryStatus | null> | null = null;
  const readStatus = (): Promise<DeliveryStatus | null> => {
    reading ??= delivery
      .status()
      .catch((error: unknown) => {
        if (error instanceof StoreUnavailable) return null;
        throw error;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const add = (name: string, help: string, read: (now: DeliveryStatus) => number): void => {
    new Gauge({
      name: `sibyl_webhook_${name}`,
      help,
      registers,
      async collect() {
        const now = await readStatus();
        this.set(now === null ? Number.NaN : read(now));
      },
    });
  };
  add('overdue_seconds', 'Age of the oldest delivery due.', ({ overdueMs }) => overdueMs / 1_000);
  add('endpoints_disabled', 'Endpoints that are switched off now.', ({ disabled }) => disabled);
  add('endpoints', 'Endpoints that are registered.', ({ endpoints }) => endpoints);
  new Gauge({
    name: 'sibyl_webhook_in_flight',
    help: 'Attempts under way.',
    registers,
    collect() {
      this.set(delivery.inFlight);
    },
  });
  new Gauge<'lane'>({
    name: 'sibyl_webhook_lag',
    help: 'Durable commands that have not been turned into deliveries yet.',
    labelNames: ['lane'],
    registers,
    async collect() {
      const now = await readStatus();
      this.reset();
      for (const [lane, commands] of now?.unread ?? []) this.set({ lane }, commands);
    },
  });
}
