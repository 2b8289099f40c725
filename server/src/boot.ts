// The composition root: chooses the adapters and puts the server together, part by part.

import path from 'node:path';
import { operations } from '@sibyl/contract';
import type { LaneName, Parameters } from '@sibyl/engine';
import { HistoryKeeper, type LiveHistory } from '@sibyl/history';
import {
  type Clock,
  CommitTimes,
  type Journal,
  Lane,
  type SnapshotStore,
  systemClock,
  timed,
} from '@sibyl/lane';
import { ownFolder, syncFolder } from '@sibyl/storage';
import { collectingInParallel, sparingThreads } from './adapters/node/collector.ts';
import { NodeOutbound } from './adapters/node/outbound.ts';
import { type HashCost, passwordQueues } from './adapters/node/passwords.ts';
import { systemRandom } from './adapters/node/random.ts';
import { openSecrets } from './adapters/node/secrets.ts';
import { SmtpMail } from './adapters/node/smtp-mail.ts';
import { startBackgroundWork } from './background-work.ts';
import type { Addresses } from './banner.ts';
import { ReferencePrices } from './bots/reference-price.ts';
import { openCompanions } from './companions.ts';
import { createDelivery, type Delivery } from './delivery/delivery.ts';
import { createGuard } from './delivery/guard.ts';
import { LocalReceivers } from './delivery/local-receivers.ts';
import { Vault } from './delivery/vault.ts';
import { errorFields, type Log } from './gateway/log.ts';
import { MaintenanceWindow } from './gateway/maintenance-window.ts';
import { createStreams, type Streams } from './gateway/ws/streams.ts';
import { publicHandlers } from './handlers.ts';
import { appOwnersOf } from './handling/app-owners.ts';
import { Turns } from './handling/turns.ts';
import { createGateway, type Gateway } from './http/http.ts';
import { addJobMetrics } from './jobs/job-metrics.ts';
import { Jobs } from './jobs/jobs.ts';
import { keyViewOf } from './key-view.ts';
import { historiesOf, keyVolumeIn, lanesOf } from './lane-histories.ts';
import { laneParameters } from './lane-parameters.ts';
import { withCompliance } from './open-compliance.ts';
import { openMail } from './open-mail.ts';
import { raiseAlarms } from './operator/alarms.ts';
import { clockOffset } from './operator/clock.ts';
import { firstOperator } from './operator/new-operator.ts';
import { openOperatorPlane } from './operator-plane.ts';
import { Parts } from './parts.ts';
import type { PlatformStore } from './ports/platform.ts';
import type { Secrets } from './ports/secrets.ts';
import type { KnownModes } from './ports/status.ts';
import type { WebhookStore } from './ports/webhooks.ts';
import { seedIfNew } from './seed/first-start.ts';
import { addServerMetrics } from './server-metrics.ts';
import type { Config } from './settings/config.ts';
import { ADMIN_HOST, checkStart } from './settings/start-check.ts';
import { VERSION } from './settings/version.ts';
import { openCustody } from './stores/open-custody.ts';
import { openSigning, requireSigning } from './stores/open-signing.ts';
import {
  laneFolder,
  openJournal,
  openSeedJournal,
  openSnapshots,
  readStoresOf,
} from './stores/open-stores.ts';
import { findRecords } from './stores/records.ts';
import { streamAccount } from './stream-account.ts';

/** What the start tells while it is under way. */
export interface BootWatcher {
  seeding?(lane: LaneName, done: number): void;
  recovering?(lane: LaneName, seq: number, headSeq: number): void;
}

export interface BootOptions extends BootWatcher {
  /** Opens the journal of a lane's folder in another way than the usual one: for measurements without a disk. */
  openJournal?(folder: string): Promise<Journal>;
  /** What hashing a password costs, where it is not to be what is recommended: for tests that send hundreds of them. */
  readonly passwordCost?: HashCost;
}

export interface Server extends Addresses {
  readonly wasSeeded: boolean;
  /** Why the server must stop, once another has used its database; null without one. */
  readonly databaseLost: Promise<string> | null;
  close(): Promise<void>;
}

export interface OpenLane {
  readonly folder: string;
  readonly lane: Lane;
  readonly journal: Journal;
  readonly snapshots: SnapshotStore;
  readonly history: LiveHistory;
  readonly keeper: HistoryKeeper;
  readonly commitTimes: CommitTimes;
  /** Called when the lane has something to say of itself. */
  readonly notices: Set<() => void>;
  close(): Promise<void>;
}

export async function boot(config: Config, log: Log, options: BootOptions = {}): Promise<Server> {
  sparingThreads();
  const parts = new Parts();
  try {
    return await assemble(config, log, options, parts);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function assemble(
  config: Config,
  log: Log,
  options: BootOptions,
  parts: Parts,
): Promise<Server> {
  await checkStart(config);
  const records = parts.add(await findRecords(config, log), (found) => found.close());
  claimFolder(config, log);
  const secrets = openSecrets(config.dataDir, systemRandom, await records.areThere());
  const { platform, webhooks, operators } = await records.open(secrets);
  await requireSigning(config.dataDir, platform.signing, secrets);
  const hashers = parts.add(passwordQueues(config, options), (queues) => queues.close());
  const prices = new ReferencePrices(secrets);
  const wasSeeded = await seedLanes(config, log, options, secrets, prices);
  const opened = await collectingInParallel(() =>
    openLanes(config, platform, secrets, log, options, parts),
  );
  const lanes = lanesOf(opened);
  const system = systemParts(config, secrets, log);
  const carrier = config.smtp === null ? null : new SmtpMail(config.smtp);
  const mailParts = { platform, operators, lanes, secrets, ...system };
  const jobs = new Jobs(system);
  const { mailer, announced, payoutDue, ...mailing } = openMail(config, carrier, mailParts, parts);
  const signing = await openSigning(config, { platform, secrets, opened });
  const known = { lanes, platform, secrets, prices, signing, jobs, ...mailing, ...system };
  const shared = await withCompliance({ owners: appOwnersOf(platform), ...known }, parts);
  const kept = await openCustody(config, { platform, live: lanes.live, log, payoutDue });
  const { custody, custodyWatch } = parts.add(kept, (open) => open.close());
  const newOperator = await firstOperator(operators, { ...hashers.staff, ...shared });
  const delivery = await openDelivery(config, webhooks, shared, parts);
  const maintenance = await openMaintenance(platform, log, parts);
  const closingTurns = new Turns();
  const beside = { config, opened, maintenance, operators, ...shared };
  const { statusChanged, ...companions } = await openCompanions(beside, parts);
  const main: Gateway = await createGateway({
    ...shared,
    operations,
    handlers: publicHandlers({
      ...shared,
      passwords: hashers.users,
      version: VERSION,
      maintenance,
      delivery,
      database: records.database,
      ...companions,
      histories: historiesOf(opened),
      volume: opened.sandbox === undefined ? null : keyVolumeIn(opened.sandbox),
      flushUses: () => main.authenticator.flush(),
      ...publicSettings(config),
      ...config.visitors,
      closingTurns,
      payouts: { custody, ...config.payouts },
      identify: (token) => main.authenticator.identifyToken(token),
      bookSeq: (lane, marketId, outcomeId) => streams.bookSeq(lane, marketId, outcomeId),
    }),
    ...publicSettings(config),
    maintenance,
    ...companions,
  });
  parts.add(main, (gateway) => gateway.close());
  const told = { ...shared, maintenance, delivery, modes: companions.modes };
  const streams = parts.add(await openStreams(config, told, opened, main), (open) => open.close());
  const counted = { gateway: main, streams, delivery, mailer, opened, custodyWatch };
  addServerMetrics({ ...counted, ...companions, database: records.database });
  const around = { maintenance, statusChanged, announced, custody, custodyWatch, closingTurns };
  const staff = { operators, ...hashers.staff, carrier, database: records.database };
  const plane = { ...told, ...staff, opened, ...around };
  const admin = await openOperatorPlane(config, plane, webhooks, main.metrics, parts);
  parts.add(startBackgroundWork({ config, ...plane, gateway: main }), (end) => end());
  startJobs(jobs, main.metrics, parts);
  return {
    ...(await listen(config, main, admin)),
    newOperator,
    hasPages: companions.site !== null,
    wasSeeded,
    databaseLost: records.database?.lost ?? null,
    close: () => parts.close(),
  };
}

function claimFolder({ dataDir }: Config, log: Log): void {
  const [wasOpen] = ownFolder(dataDir);
  if (wasOpen !== undefined) log.write('warn', 'others could read data', { reason: wasOpen });
}

async function listen({ host, port, adminPort }: Config, main: Gateway, admin: Gateway) {
  return {
    port: await main.listen({ host, port }),
    adminPort: await admin.listen({ host: ADMIN_HOST, port: adminPort }),
    orderWay: main.orderPath.chosen,
  };
}

/** Last of all, so that they end first: whatever a run uses is open. */
function startJobs(jobs: Jobs, { registry }: Gateway['metrics'], parts: Parts): void {
  addJobMetrics(registry, jobs);
  jobs.start();
  parts.add(jobs, (runner) => runner.stop());
}

function publicSettings(config: Config) {
  const { rateMultiplier, trustedProxies, allowedOrigins, publicUrl, hasDirectOrders } = config;
  return { rateMultiplier, trustedProxies, allowedOrigins, publicUrl, hasDirectOrders };
}

async function openMaintenance(
  platform: PlatformStore,
  log: Log,
  parts: Parts,
): Promise<MaintenanceWindow> {
  const maintenance = await MaintenanceWindow.open(platform, systemClock);
  parts.add(maintenance, async (window) => window.close());
  maintenance.onNews(({ phase, effect, actor, reason }) =>
    log.write('warn', `maintenance ${phase} (${effect})`, { actor, reason }),
  );
  return maintenance;
}

function systemParts({ port, adminPort }: Config, secrets: Secrets, log: Log) {
  const vault = new Vault(secrets, systemRandom, 'authenticator seeds 1');
  const localReceivers = new LocalReceivers(systemClock, [port, adminPort]);
  return { random: systemRandom, clock: systemClock, log, vault, localReceivers };
}

/** What several parts are made of. */
interface Shared {
  readonly lanes: Readonly<Partial<Record<LaneName, Lane>>>;
  readonly platform: PlatformStore;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly jobs: Jobs;
  readonly prices: ReferencePrices;
  readonly localReceivers: LocalReceivers;
}

/** Stops before the lanes close, because what it still reads comes from them. */
async function openDelivery(
  config: Config,
  store: WebhookStore,
  shared: Shared,
  parts: Parts,
): Promise<Delivery> {
  const { lanes, platform, secrets, log, localReceivers, jobs } = shared;
  const delivery = createDelivery({
    store,
    outbound: new NodeOutbound({ guard: createGuard(config.webhookAllowance, localReceivers) }),
    lanes,
    platform,
    keyView: keyViewOf(platform),
    secrets,
    random: systemRandom,
    clock: systemClock,
    failed: (message, error) => log.write('warn', message, { error: errorFields(error) }),
  });
  await delivery.start();
  for (const job of delivery.jobs) jobs.add(job);
  return parts.add(delivery, (started) => started.stop());
}

/** Its sockets hang on the gateway's listener, so they say goodbye before that closes. */
async function openStreams(
  config: Config,
  parts: Shared & {
    readonly maintenance: MaintenanceWindow;
    readonly delivery: Delivery;
    readonly modes: KnownModes;
  },
  opened: OpenLanes,
  gateway: Gateway,
): Promise<Streams> {
  const { lanes, platform, maintenance, delivery, modes, prices, log } = parts;
  const streams = await createStreams({
    lanes,
    histories: historiesOf(opened),
    platform,
    authenticator: gateway.authenticator,
    clock: systemClock,
    random: systemRandom,
    showAccount: streamAccount,
    maintenance,
    modes,
    breakerChanged: (lane, breaker) => delivery.announceBreaker(lane, breaker),
    referencePrice: (symbol, atMs) => prices.price(symbol, atMs),
    trustedProxies: config.trustedProxies,
    hasLimits: config.rateMultiplier !== 0,
    failed: (error) => log.write('error', 'a stream failed', { error: errorFields(error) }),
  });
  streams.attach(gateway);
  return streams;
}

export type OpenLanes = Readonly<Partial<Record<LaneName, OpenLane>>>;

export interface LaneOpening {
  readonly name: LaneName;
  readonly folder: string;
  readonly parameters: Parameters;
  readonly clock: Clock;
  readonly clockOffsetMs?: number;
  readonly log: Log;
  readonly recovering?: ((seq: number, headSeq: number) => void) | undefined;
  readonly openJournal?: ((folder: string) => Promise<Journal>) | undefined;
}

async function openLane(opening: LaneOpening): Promise<OpenLane> {
  const parts = new Parts();
  try {
    return await assembleLane(opening, parts);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function assembleLane(opening: LaneOpening, parts: Parts): Promise<OpenLane> {
  const { name, folder, parameters, clock, log } = opening;
  const warn = (message: string): void => log.write('warn', message, { lane: name });
  const found = await (opening.openJournal?.(folder) ?? openJournal(folder, warn));
  const journal = parts.add(found, (opened) => opened.close());
  const { seq: headSeq } = await journal.head();
  const note = (message: string, error: Error | null): void =>
    log.write(error === null ? 'info' : 'error', message, {
      lane: name,
      ...(error === null ? {} : { error: errorFields(error) }),
    });
  const opened = await HistoryKeeper.open({ stores: readStoresOf(folder), headSeq, clock, note });
  const keeper = parts.add(opened, (open) => open.close());
  const { history } = keeper;
  const snapshots = openSnapshots(folder);
  const commitTimes = new CommitTimes(clock);
  const notices = new Set<() => void>();
  const lane = await Lane.open({
    name,
    parameters,
    journal: timed(journal, commitTimes),
    snapshots,
    clock,
    clockOffsetMs: opening.clockOffsetMs ?? 0,
    notify: ({ state, message, level }) => {
      log.write(level, `lane ${state}`, { lane: name, reason: message });
      for (const notice of notices) notice();
    },
    watcher: {
      // What the recovery replays need not be replayed for history again.
      reached: (seq, state) => history.projector.reach(seq, state),
      replayed: (commands) => history.projector.apply(commands),
      upgraded: (message) => note(message, null),
      progress: ({ seq, headSeq }) => opening.recovering?.(seq, headSeq),
      skipped: ({ file, reason }) =>
        log.write('warn', `snapshot ${file} was passed over`, { lane: name, reason }),
    },
  });
  parts.add(lane, (open) => open.close());
  lane.onCommitted(raiseAlarms(name, log));
  keeper.follow(lane);
  const stores = { folder, journal, snapshots };
  return { ...stores, lane, history, keeper, commitTimes, notices, close: () => parts.close() };
}

async function seedLanes(
  config: Config,
  log: Log,
  watcher: BootWatcher,
  secrets: Secrets,
  prices: ReferencePrices,
): Promise<boolean> {
  let wasSeeded = false;
  for (const name of config.lanes) {
    const isNew = await seedIfNew({
      lane: name,
      folder: laneFolder(config.dataDir, name),
      nowMs: systemClock.wallMs(),
      prices,
      hasLiveDemo: config.hasLiveDemo,
      open: (folder, clock) => {
        const parameters = laneParameters(secrets, name);
        return openLane({ name, folder, parameters, clock, log, openJournal: openSeedJournal });
      },
      // The entry of a moved folder is in the one above it.
      syncFolder: (moved) => syncFolder(path.dirname(moved)),
      progress: ({ done }) => watcher.seeding?.(name, done),
    });
    wasSeeded ||= isNew;
  }
  return wasSeeded;
}

async function openLanes(
  config: Config,
  platform: PlatformStore,
  secrets: Secrets,
  log: Log,
  options: BootOptions,
  parts: Parts,
): Promise<OpenLanes> {
  const opened: Partial<Record<LaneName, OpenLane>> = {};
  for (const name of config.lanes) {
    const lane = await openLane({
      name,
      folder: laneFolder(config.dataDir, name),
      parameters: laneParameters(secrets, name),
      clock: systemClock,
      clockOffsetMs: await clockOffset(platform, name),
      log,
      recovering: (seq, headSeq) => options.recovering?.(name, seq, headSeq),
      openJournal: options.openJournal,
    });
    opened[name] = parts.add(lane, (open) => open.close());
  }
  return opened;
}
