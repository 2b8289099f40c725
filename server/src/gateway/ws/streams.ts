// The streams of the service, put together: one hub for each lane, and the sockets that listen to them.
import type { Market } from '@sibyl/engine';
import type { Clock } from '@sibyl/lane';
import type { LaneName } from '../../handling/handler.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { KnownModes } from '../../ports/status.ts';
import { type StreamedLane, StreamHub } from '../../streams/hub.ts';
import type { Told } from '../../streams/market-messages.ts';
import { type Histories, historyOf } from '../../wire/histories.ts';
import type { Authenticator } from '../authenticate.ts';
import type { MaintenanceWindow } from '../maintenance-window.ts';
import type { ShowIdentity } from './identity.ts';
import { WriteTurn } from './outlet.ts';
import { type Listener, Sockets } from './sockets.ts';

export interface StreamsOptions {
  readonly lanes: Readonly<Partial<Record<LaneName, StreamedLane>>>;
  readonly histories: Histories;
  readonly platform: PlatformStore;
  readonly authenticator: Pick<Authenticator, 'identify'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Told of what should not happen; no socket is hurt by it. */
  readonly failed: (error: unknown) => void;
  /** The account as its owner sees it. */
  readonly showAccount: ShowIdentity;
  /** What the source of a fast round says; null where there is none that can be asked. */
  readonly referencePrice?: (symbol: string, atMs: number) => string;
  /** Told to everybody as it changes, and to whoever comes while it lasts. */
  readonly maintenance?: MaintenanceWindow;
  /** Why lanes are paused or halted: whoever comes after a restart is told it too. */
  readonly modes?: KnownModes;
  /** Told when a lane itself works otherwise than before. */
  readonly breakerChanged?: (lane: LaneName, breaker: Told<'circuit_breaker'>) => void;
  readonly trustedProxies?: readonly string[];
  readonly hasLimits?: boolean;
  readonly bookIntervalMs?: number;
  readonly replayBytesMax?: number;
  readonly snapshotBytesBurst?: number;
}

export interface Streams {
  readonly epoch: string;
  /** How many sockets are open. */
  readonly size: number;
  attach(listener: Listener): void;
  /** The number of a book over REST; call it in the continuation of the read that gave the book. */
  bookSeq(lane: LaneName, marketId: string, outcomeId: string): number;
  /** Bytes kept for replay, of all lanes. */
  replayBytes(): number;
  close(): Promise<void>;
}

export async function createStreams(options: StreamsOptions): Promise<Streams> {
  const { lanes, histories, platform, authenticator, clock, random, failed } = options;
  const epoch = `e_${random.token(16)}`;
  const turn = new WriteTurn();
  const hubs: Partial<Record<LaneName, StreamHub>> = {};
  const sockets = new Sockets({
    hubs,
    epoch,
    platform,
    authenticator,
    clock,
    random,
    turn,
    showAccount: options.showAccount,
    trustedProxies: options.trustedProxies ?? [],
    hasLimits: options.hasLimits ?? true,
    snapshotBytesBurst: options.snapshotBytesBurst,
    maintenance: options.maintenance ?? null,
    failed,
  });
  for (const lane of Object.values(lanes)) {
    const hub: StreamHub = new StreamHub({
      lane,
      history: historyOf(histories, lane.name),
      clock,
      random,
      epoch,
      broadcast: (type, data) => sockets.broadcast(hub, type, data),
      breakerChanged: (breaker) => options.breakerChanged?.(lane.name, breaker),
      flushed: () => turn.flush(),
      failed,
      modeReason: () => options.modes?.[lane.name]?.current?.message ?? null,
      isMaintained: () => options.maintenance?.news?.phase === 'started',
      priceOf: priceOf(options.referencePrice),
      bookIntervalMs: options.bookIntervalMs,
      replayBytesMax: options.replayBytesMax,
    });
    hubs[lane.name] = hub;
    await hub.start();
  }
  await sockets.recover();
  return {
    epoch,
    get size() {
      return sockets.size;
    },
    attach: (listener) => sockets.attach(listener),
    bookSeq: (lane, marketId, outcomeId) => hubs[lane]?.bookSeq(marketId, outcomeId) ?? 0,
    replayBytes: () =>
      Object.values(hubs).reduce((sum, { registry }) => sum + registry.replayBytes, 0),
    async close() {
      await sockets.close();
      for (const hub of Object.values(hubs)) hub.stop();
    },
  };
}

/** Only the mock source can be asked at any moment. */
function priceOf(
  reference: StreamsOptions['referencePrice'],
): (market: Market, atMs: number) => string | null {
  return ({ template, params }, atMs) => {
    const { source } = template.definition.oracleConfig;
    if (reference === undefined || source !== 'sandbox_mock') return null;
    return reference(String(params.symbol), atMs);
  };
}
