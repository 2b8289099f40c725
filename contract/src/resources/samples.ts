// What the service measured of itself over the last 24 hours.

import { type Static, Type } from 'typebox';
import { epochMs, nullable, oneOf } from '../primitives.ts';

/** In the order of the values of a sample. */
export const sampleLines = [
  'orders_live',
  'orders_sandbox',
  'commands_live',
  'commands_sandbox',
  'requests',
  'p99_ms',
  'memory_mb',
  'connections',
  'sockets',
  'history_lag',
  'webhook_attempts',
  'journal_mb',
  'disk_free_mb',
] as const;

const ServiceSample = Type.Object(
  {
    at_ms: epochMs('When it was taken.'),
    values: Type.Array(nullable(Type.Integer({ minimum: 0 })), {
      description: 'Thousandths, in the order of lines; null where nothing was measured.',
    }),
  },
  { title: 'ServiceSample' },
);

export const ServiceSamples = Type.Object(
  {
    lines: Type.Array(oneOf(sampleLines), {
      description:
        'What each value is: orders, commands, requests and webhook attempts a second; the p99 latency in milliseconds; memory, journals and free disk space in megabytes; open connections and sockets; durable commands that history does not show yet.',
    }),
    every_ms: Type.Integer({ minimum: 1, description: 'Time between two samples.' }),
    samples: Type.Array(ServiceSample, {
      description:
        'The oldest first, of at most 24 hours. They begin again when the server starts.',
    }),
  },
  { title: 'ServiceSamples' },
);
export type ServiceSamples = Static<typeof ServiceSamples>;

export const exampleSamples: ServiceSamples = {
  lines: [...sampleLines],
  every_ms: 30_000,
  samples: [
    {
      at_ms: 1_794_657_600_000,
      values: [1_500, 0, 2_000, 0, 40_000, null, 310_000, 12_000, 4_000, 0, 0, 900, 52_000_000],
    },
  ],
};
