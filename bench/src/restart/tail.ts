// A data folder whose journal goes on long after its last snapshot, as a crash may leave it.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  type Actor,
  asAccountId,
  asMarketId,
  type CommandBody,
  DEFAULT_PARAMETERS,
  type OrderId,
  type Outcome,
  type PlaceOrder,
} from '@sibyl/engine';
import { Lane, systemClock } from '@sibyl/lane';
import { lots, pips } from '@sibyl/money';
import { boot, readConfig, silentLog } from '@sibyl/server';
import { laneFolder, openJournal, openSnapshots } from '../../../server/src/stores/open-stores.ts';
import { accountName } from '../http/credentials.ts';
import { readRoster } from '../http/orders.ts';
import { prepareData } from '../http/prepare.ts';
import type { Measurement } from '../suite.ts';
import { mulberry32 } from '../workload/mulberry32.ts';

/** Commands sent at once, well within the queue of a lane. */
const CHUNK = 2000;
const ACCOUNTS = 1000;
const CANCEL_PERCENT = 30;
const LIVE_ORDERS_MAX = 50_000;

/** Gives the number of the snapshot that every measured start begins from. */
export async function buildTail(dataDir: string, commands: number): Promise<Measurement> {
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const rosterFile = path.join(dataDir, 'roster.json');
  await prepareData(dataDir, rosterFile);
  const folder = laneFolder(dataDir, 'live');
  const snapshotSeq = openSnapshots(folder).list()[0] ?? 0;
  const lane = await Lane.open({
    name: 'live',
    parameters: DEFAULT_PARAMETERS,
    journal: await openJournal(folder),
    snapshots: openSnapshots(folder),
    clock: systemClock,
    limits: { snapshotEvery: Number.POSITIVE_INFINITY },
  });
  const trading = new Trading(readRoster(rosterFile).markets);
  for (let sent = 0; sent < commands; sent += CHUNK) {
    const count = Math.min(CHUNK, commands - sent);
    const asked = Array.from({ length: count }, () => trading.next());
    trading.see(await Promise.all(asked.map(({ body, actor }) => send(lane, body, actor))));
  }
  await lane.close();
  await catchUp(dataDir);
  dropSnapshots(dataDir, snapshotSeq);
  return { snapshotSeq };
}

/** Those after the given one, which a server that was killed would not have written. */
export function dropSnapshots(dataDir: string, afterSeq: number): void {
  const snapshots = openSnapshots(laneFolder(dataDir, 'live'));
  for (const seq of snapshots.list()) {
    if (seq > afterSeq) rmSync(path.join(snapshots.directory, `snap-${seq}`));
  }
}

function send(lane: Lane, body: CommandBody, actor: Actor): Promise<Outcome> {
  return lane.submit({ body, actor, requestId: 'bench' });
}

/** History follows closely in a server that runs; only the engine has to start from so far back. */
async function catchUp(dataDir: string): Promise<void> {
  const environment = { PORT: '0', ADMIN_PORT: '0', DATA_DIR: dataDir, BOTS: 'off', LANES: 'live' };
  const server = await boot(readConfig(environment, path.dirname(dataDir)), silentLog);
  // Answered when history has seen everything.
  await fetch(`http://127.0.0.1:${server.port}/v1/markets?limit=1`);
  await server.close();
}

/** Orders of which most rest, some take, and a good part is cancelled again. */
class Trading {
  readonly #markets: readonly string[];
  readonly #random = mulberry32(7);
  #live: { readonly orderId: OrderId; readonly account: number }[] = [];
  #count = 0;

  constructor(markets: readonly string[]) {
    this.#markets = markets;
  }

  next(): { readonly body: CommandBody; readonly actor: Actor } {
    const isCancel = this.#random() % 100 < CANCEL_PERCENT;
    const known = isCancel ? this.#live.pop() : undefined;
    const account = known?.account ?? this.#random() % ACCOUNTS;
    const accountId = asAccountId(accountName(account));
    const actor: Actor = { kind: 'account', accountId, keyId: null };
    if (known === undefined) return { body: this.#order(account), actor };
    return { body: { type: 'cancel_order', accountId, orderId: known.orderId }, actor };
  }

  see(outcomes: readonly Outcome[]): void {
    for (const { answer, events } of outcomes) {
      if (!answer.ok) continue;
      for (const event of events) {
        if (event.type !== 'order_placed') continue;
        const account = Number(event.order.accountId.slice(accountName(0).length - 1));
        this.#live.push({ orderId: event.order.orderId, account });
      }
    }
    if (this.#live.length > LIVE_ORDERS_MAX) this.#live = this.#live.slice(-LIVE_ORDERS_MAX / 2);
  }

  #order(account: number): PlaceOrder {
    const random = this.#random;
    this.#count += 1;
    return {
      type: 'place_order',
      accountId: asAccountId(accountName(account)),
      marketId: asMarketId(this.#markets[random() % this.#markets.length]!),
      outcomeId: random() % 2 === 0 ? 'yes' : 'no',
      side: 'buy',
      orderType: 'limit',
      price: pips(4900 + (random() % 141)),
      lots: lots(100 * (1 + (random() % 100))),
      timeInForce: 'gtc',
      expiresAtMs: null,
      validUntilMs: null,
      postOnly: false,
      reduceOnly: false,
      stpMode: 'cancel_incoming',
      maxCost: null,
      clientOrderId: `r-${this.#count}`,
      builder: null,
      execution: 'hybrid',
      acceptPrice: false,
      caps: null,
      grant: null,
    };
  }
}
