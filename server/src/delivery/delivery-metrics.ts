// Prometheus metrics of webhook delivery.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Delivery } from './delivery.ts';

export function addDeliveryMetrics(registry: Registry, delivery: Delivery): void {
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
  addStanding(registers, delivery);
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

/** One look at the store serves all of them. */
function addStanding(registers: Registry[], delivery: Delivery): void {
  const overdue = gauge(registers, 'overdue_seconds', 'Age of the oldest delivery that is due.');
  const disabled = gauge(registers, 'endpoints_disabled', 'Endpoints that are switched off now.');
  const inFlight = gauge(registers, 'in_flight', 'Attempts under way.');
  const unread = new Gauge<'lane'>({
    name: 'sibyl_webhook_lag',
    help: 'Durable commands that have not been turned into deliveries yet.',
    labelNames: ['lane'],
    registers,
  });
  new Gauge({
    name: 'sibyl_webhook_endpoints',
    help: 'Endpoints that are registered.',
    registers,
    async collect() {
      const standing = await delivery.standing();
      this.set(standing.endpoints);
      overdue.set(standing.overdueMs / 1_000);
      disabled.set(standing.disabled);
      inFlight.set(delivery.inFlight);
      for (const [lane, commands] of standing.unread) unread.set({ lane }, commands);
    },
  });
}

function gauge(registers: Registry[], name: string, help: string): Gauge {
  return new Gauge({ name: `sibyl_webhook_${name}`, help, registers });
}
