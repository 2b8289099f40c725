// Metrics of the server's parts, beside those of the requests that the gateway counts.

import { statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { OpenLane, OpenLanes } from './boot.ts';
import type { CustodyWatch } from './custody/custody-watch.ts';
import type { Delivery } from './delivery/delivery.ts';
import { addDeliveryMetrics } from './delivery/delivery-metrics.ts';
import type { Streams } from './gateway/ws/streams.ts';
import type { Gateway } from './http/http.ts';
import type { Mailer } from './mail/mailer.ts';
import { addMemoryGauges } from './memory-gauges.ts';
import type { Outage } from './ports/outage.ts';

export interface WatchedParts {
  readonly gateway: Gateway;
  readonly streams: Pick<Streams, 'size' | 'replayBytes'>;
  readonly delivery: Delivery;
  /** Null where no log of requests is kept. */
  readonly requests: { readonly droppedCount: number } | null;
  readonly opened: OpenLanes;
  readonly custodyWatch: Pick<CustodyWatch, 'outage' | 'unclearPayouts'>;
  /** Null where users and keys are in the data folder. */
  readonly database: { readonly outage: Outage | null } | null;
  /** Null where no mail is sent. */
  readonly mailer: Pick<Mailer, 'sentCount' | 'droppedCount' | 'waitingCount'> | null;
}

export function addServerMetrics(watched: WatchedParts): void {
  const { gateway, streams, delivery, requests, mailer, opened, database } = watched;
  const { registry } = gateway.metrics;
  const lanes = Object.values(opened);
  addDeliveryMetrics(registry, delivery);
  addGauge(registry, 'sockets', 'Sockets that are open.', () => streams.size);
  addMemoryGauges(registry, lanes, () => streams.replayBytes());
  addGauge(registry, 'connections', 'Connections of the interface, sockets included.', () =>
    connectionsOf(gateway),
  );
  addOrderPath(registry, gateway);
  addLaneGauge(
    registry,
    lanes,
    'projection_lag',
    'Durable commands that history does not show yet.',
    ({ lane, history }) => lane.status().durableSeq - history.projector.seq,
  );
  addLaneGauge(registry, lanes, 'journal_bytes', 'Size of the journal on the disk.', journalBytes);
  const diskFree = 'Space that is left on the disk of the data folder.';
  addGauge(registry, 'disk_free_bytes', diskFree, () => diskFreeBytes(lanes));
  addLaneGauge(registry, lanes, 'orders_open', 'Orders that rest in books.', ({ lane }) =>
    lane.read(({ orders }) => orders.size),
  );
  // All that there ever were: the engine numbers both without gaps.
  addLaneCounter(registry, lanes, 'orders', 'Orders that were taken.', ({ lane }) =>
    lane.read(({ nextOrderId }) => nextOrderId - 1),
  );
  addLaneCounter(registry, lanes, 'trades', 'Fills of orders.', ({ lane }) =>
    lane.read(({ nextTradeId }) => nextTradeId - 1),
  );
  addCommits(registry, lanes);
  addMoneyOut(registry, watched);
  addGauge(registry, 'letters_waiting', 'Letters that wait for the server of mail.', () =>
    mailer === null ? 0 : mailer.waitingCount(),
  );
  addCounter(registry, 'letters_sent', 'Letters that the server of mail took.', () =>
    mailer === null ? 0 : mailer.sentCount,
  );
  addCounter(registry, 'letters_dropped', 'Letters that were given up.', () =>
    mailer === null ? 0 : mailer.droppedCount,
  );
  const away = 'How long the database of users and keys has given no answer; 0 while it does.';
  addGauge(registry, 'database_away_seconds', away, () => secondsOf(database?.outage ?? null));
  const notLogged = 'Requests that the log of requests had no room for.';
  addCounter(registry, 'requests_not_logged', notLogged, () => requests?.droppedCount ?? 0);
}

/** Of the live lane: how much is on its way out, and whether the custody says what became of it. */
function addMoneyOut(registry: Registry, { opened, custodyWatch }: WatchedParts): void {
  const lanes = opened.live === undefined ? [] : [opened.live];
  const open = 'Withdrawals that are neither paid nor given back.';
  addLaneGauge(registry, lanes, 'withdrawals_open', open, ({ lane }) =>
    lane.read(({ funds }) => [...funds.openWithdrawals()].length),
  );
  const silent = 'How long the custody has given no clear answer; 0 while it does.';
  addGauge(registry, 'custody_silent_seconds', silent, () => secondsOf(custodyWatch.outage));
  const unclear = 'Payouts of which nobody knows whether they were made.';
  addGauge(registry, 'payouts_unclear', unclear, () => custodyWatch.unclearPayouts);
}

function secondsOf(outage: Outage | null): number {
  return outage === null ? 0 : Math.max(1, (Date.now() - outage.sinceMs) / 1000);
}

/** Which way plain orders take, and how many requests were answered the short way since the start. */
function addOrderPath(registry: Registry, { orderPath }: Gateway): void {
  const gauge = new Gauge<'way'>({
    name: 'sibyl_order_way',
    help: '1 for the way that plain orders take.',
    labelNames: ['way'],
    registers: [registry],
  });
  for (const way of ORDER_WAYS) gauge.set({ way }, way === orderPath.chosen.way ? 1 : 0);
  addCounter(registry, 'direct_answers', 'Requests answered straight on the socket.', () =>
    orderPath.answered(),
  );
}

const ORDER_WAYS = ['direct', 'node'] as const;

type Read = (opened: OpenLane) => number | Promise<number>;

function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  new Gauge({
    name: `sibyl_${name}`,
    help,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}

function addCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name: `sibyl_${name}_total`,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function addLaneGauge(
  registry: Registry,
  lanes: readonly OpenLane[],
  name: string,
  help: string,
  read: Read,
): void {
  new Gauge<'lane'>({
    name: `sibyl_${name}`,
    help,
    labelNames: ['lane'],
    registers: [registry],
    async collect() {
      for (const one of lanes) this.set({ lane: one.lane.name }, await numberOf(one, read));
    },
  });
}

function addLaneCounter(
  registry: Registry,
  lanes: readonly OpenLane[],
  name: string,
  help: string,
  read: Read,
): void {
  new Counter<'lane'>({
    name: `sibyl_${name}_total`,
    help,
    labelNames: ['lane'],
    registers: [registry],
    async collect() {
      for (const one of lanes) {
        const value = await numberOf(one, read);
        this.remove({ lane: one.lane.name });
        this.inc({ lane: one.lane.name }, value);
      }
    },
  });
}

/** A lane that has stopped answers nothing, which must not take the others' numbers away. */
async function numberOf(one: OpenLane, read: Read): Promise<number> {
  try {
    return await read(one);
  } catch {
    return 0;
  }
}

/** Since the start; a commit is one write to the journal, with all commands that came together. */
function addCommits(registry: Registry, lanes: readonly OpenLane[]): void {
  const counter = new Counter<'lane'>({
    name: 'sibyl_commits_total',
    help: 'Commits to the journal since the start.',
    labelNames: ['lane'],
    registers: [registry],
  });
  for (const { lane } of lanes) {
    const child = counter.labels(lane.name);
    child.inc(0);
    lane.onCommitted(() => child.inc());
  }
}

/** The log beside the file counts as well. */
function journalBytes({ folder }: OpenLane): number {
  const bytesOf = (name: string): number =>
    statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return bytesOf('journal.db') + bytesOf('journal.db-wal');
}

/** As far as whoever runs the server may use it; journals are below the data folder. */
function diskFreeBytes([first]: readonly OpenLane[]): number {
  if (first === undefined) return 0;
  const { bavail, bsize } = statfsSync(first.folder);
  return bavail * bsize;
}

function connectionsOf({ app }: Gateway): Promise<number> {
  return new Promise((resolve) => {
    app.server.getConnections((_error, count) => resolve(count));
  });
}
