// Metrics of what a lane keeps in memory, so that an operator sees what grows.

import type { LiveHistory } from '@sibyl/history';
import type { Lane } from '@sibyl/lane';
import { Gauge, type Registry } from 'prom-client';

export interface KeepingLane {
  readonly lane: Pick<Lane, 'name' | 'read'>;
  readonly history: Pick<LiveHistory, 'projector'>;
}

export function addMemoryGauges(
  registry: Registry,
  lanes: readonly KeepingLane[],
  replayBytes: () => number,
): void {
  const kept: Gauge<'lane' | 'what'> = new Gauge({
    name: 'sibyl_kept',
    help: 'Things that a lane keeps in memory.',
    labelNames: ['lane', 'what'],
    registers: [registry],
    collect: async () => {
      for (const { lane, history } of lanes) {
        const { name } = lane;
        for (const [what, count] of await countsOf(lane, history)) {
          kept.set({ lane: name, what }, count);
        }
      }
    },
  });
  const replay: Gauge = new Gauge({
    name: 'sibyl_stream_replay_bytes',
    help: 'Messages of streams kept for clients that resume.',
    registers: [registry],
    collect: () => replay.set(replayBytes()),
  });
}

async function countsOf(
  lane: KeepingLane['lane'],
  { projector }: KeepingLane['history'],
): Promise<readonly (readonly [what: string, count: number])[]> {
  const historyRows = projector.unflushed.reduce((sum, { rows }) => sum + rows, 0);
  try {
    return await lane.read(({ orders, markets, clientOrderIds, commandKeys, timers }) => [
      ['open_orders', orders.size],
      ['holdings', [...markets.values()].reduce((sum, { holdings }) => sum + holdings.size, 0)],
      ['client_order_ids', clientOrderIds.size],
      ['command_keys', commandKeys.size],
      ['timers', timers.size],
      ['history_rows', historyRows],
    ]);
  } catch {
    // A lane that is stopped or recovering says nothing; the other gauges go on.
    return [];
  }
}
