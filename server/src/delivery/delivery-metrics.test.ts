import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { DeliveryCounts } from './delivery-counts.ts';
import { addDeliveryMetrics } from './delivery-metrics.ts';

function attempt(number: number, httpStatus: number | null, failure: string | null) {
  return { number, atMs: 0, httpStatus, failure, latencyMs: 1, answerBytes: 0 } as never;
}

test('[OP10] attempts by result, retries, lag and disabled endpoints are shown, each count once', async () => {
  const counts = new DeliveryCounts();
  const registry = new Registry();
  const status = {
    overdueMs: 2_500,
    unread: [['sandbox', 7]],
    disabled: 1,
    endpoints: 3,
  } as const;
  addDeliveryMetrics(registry, { counts, inFlight: 4, status: async () => status });
  counts.add(attempt(1, 200, null), false);
  counts.add(attempt(2, 204, null), false);
  counts.add(attempt(1, 503, null), false);
  counts.add(attempt(8, null, 'timeout'), true);
  counts.disabled += 1;
  await Promise.all([registry.metrics(), registry.metrics()]);
  const lines = (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#'));
  expect(lines.filter((line) => line !== '').sort()).toEqual(
    [
      'sibyl_webhook_attempts_total{result="2xx"} 2',
      'sibyl_webhook_attempts_total{result="5xx"} 1',
      'sibyl_webhook_attempts_total{result="timeout"} 1',
      'sibyl_webhook_disabled_total 1',
      'sibyl_webhook_endpoints 3',
      'sibyl_webhook_endpoints_disabled 1',
      'sibyl_webhook_exhausted_total 1',
      'sibyl_webhook_in_flight 4',
      'sibyl_webhook_lag{lane="sandbox"} 7',
      'sibyl_webhook_overdue_seconds 2.5',
      'sibyl_webhook_retries_total 2',
    ].sort(),
  );
});
