import { expect, it } from 'vitest';
import { quantileOf, readMetrics, sumOf } from './metrics-text.ts';

const before = readMetrics(`# HELP sibyl_orders_total Orders that were taken.
# TYPE sibyl_orders_total counter
sibyl_orders_total{lane="live"} 10
sibyl_orders_total{lane="sandbox"} 32
process_resident_memory_bytes 1.5e+08
s_bucket{le="0.1",operation="a"} 1
s_bucket{le="+Inf",operation="a"} 1
odd{text="a \\"b\\", c=\\"d\\""} 1
`);

it('[OP91] reads names, labels and values of metrics', () => {
  expect(sumOf(before, 'sibyl_orders_total')).toBe(42);
  expect(sumOf(before, 'sibyl_orders_total', { lane: 'live' })).toBe(10);
  expect(sumOf(before, 'process_resident_memory_bytes')).toBe(150_000_000);
  expect(sumOf(before, 'nothing')).toBe(0);
  expect(before.find(({ name }) => name === 'odd')?.labels).toEqual({
    text: 'a \\"b\\", c=\\"d\\"',
  });
});

it('[OP91] works out the p99 latency between two samples', () => {
  const after = readMetrics(`s_bucket{le="0.1",operation="a"} 99
s_bucket{le="0.5",operation="a"} 100
s_bucket{le="+Inf",operation="a"} 100
s_bucket{le="0.1",operation="b"} 1
s_bucket{le="0.5",operation="b"} 1
s_bucket{le="+Inf",operation="b"} 1
`);
  expect(quantileOf(before, after, 's', 0.5)).toBe(0.1);
  expect(quantileOf(before, after, 's', 0.99)).toBe(0.1);
  expect(quantileOf(before, after, 's', 1)).toBe(0.5);
  expect(quantileOf(after, after, 's', 0.99)).toBe(null);
});
