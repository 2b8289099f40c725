// How far history is behind, for whoever watches the server.

import { Gauge } from 'prom-client';
import type { OpenLanes } from './boot.ts';
import type { Gateway } from './gateway/http.ts';

export function addProjectionGauge(gateway: Gateway, opened: OpenLanes): void {
  const gauge: Gauge<'lane'> = new Gauge({
    name: 'sibyl_projection_lag',
    help: 'Durable commands that history does not show yet.',
    labelNames: ['lane'],
    registers: [gateway.metrics.registry],
    collect: () => {
      for (const { lane, history } of Object.values(opened)) {
        gauge.set({ lane: lane.name }, lane.status().durableSeq - history.projector.seq);
      }
    },
  });
}
