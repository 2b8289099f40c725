// The operator plane over memory adapters: real lanes and handlers, with records of the interface stood in for.

import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { operatorOperations } from '@sibyl/contract';
import {
  asAccountId,
  asMarketId,
  asTemplateId,
  type CommandBody,
  DEFAULT_PARAMETERS,
  type LaneName,
  type MarketId,
  type Outcome,
} from '@sibyl/engine';
import { LiveHistory } from '@sibyl/history';
import { IN_MEMORY, SqliteReadStore } from '@sibyl/history/testing';
import { type Journal, Lane } from '@sibyl/lane';
import { ManualClock, MemoryJournal } from '@sibyl/lane/testing';
import { usdt } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { MemoryMail } from '../../src/adapters/memory/mail.ts';
import { MemoryOperatorStore } from '../../src/adapters/memory/operators.ts';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { KeyedSecrets } from '../../src/adapters/node/secrets.ts';
import { ComplianceOffice } from '../../src/compliance/office.ts';
import { CustodyWatch } from '../../src/custody/custody-watch.ts';
import { LocalReceivers } from '../../src/delivery/local-receivers.ts';
import { Vault } from '../../src/delivery/vault.ts';
import type { CustodyReports } from '../../src/gateway/custody-reports.ts';
import { createLog } from '../../src/gateway/log.ts';
import { MaintenanceWindow } from '../../src/gateway/maintenance-window.ts';
import { OperatorGuard } from '../../src/gateway/operator-guard.ts';
import { Turns } from '../../src/handling/turns.ts';
import { createGateway, type Gateway } from '../../src/http/http.ts';
import { Links } from '../../src/mail/links.ts';
import { Mailer } from '../../src/mail/mailer.ts';
import { MailedLetters } from '../../src/mail/security-letters.ts';
import { custodyReports } from '../../src/operator/deposit-reports.ts';
import { operatorHandlers } from '../../src/operator/handlers.ts';
import type { WatchedLane } from '../../src/operator/parts.ts';
import { Reconciliations } from '../../src/operator/reconciliation.ts';
import { Refusals } from '../../src/operator/refusals.ts';
import { operatorTokenOf } from '../../src/operator/token.ts';
import { refusalsInto } from '../../src/operator/trail.ts';
import type { Custody } from '../../src/ports/custody.ts';
import type { Letter } from '../../src/ports/mail.ts';
import { seedTemplates } from '../../src/seed/templates.ts';
import { openModes } from '../../src/status/mode-watch.ts';
import { CUSTODY_OUTAGE, outagesInto } from '../../src/stores/outages-into.ts';
import { quickPasswords } from '../gateway/harness.ts';
import { signingOf } from '../gateway/signing.ts';

const NOON_MS = 1_794_744_000_000;
/** What automation acts with. */
const TOKEN = 'op_a-long-token-of-the-operator';
export const trader = asAccountId('acc_trader');

export interface OperatorHarness {
  readonly gateway: Gateway;
  readonly closingTurns: Turns;
  /** What the custody calls, without a listener before it; null without one. */
  readonly reports: CustodyReports | null;
  readonly clock: ManualClock;
  readonly platform: MemoryPlatformStore;
  readonly operators: MemoryOperatorStore;
  readonly links: Links;
  /** What was mailed, once it is. */
  mailed(): Promise<readonly Letter[]>;
  readonly lane: Lane;
  readonly journal: Journal;
  readonly token: string;
  /** As the plane asks it; undefined where there is none. */
  readonly custody: Custody | undefined;
  /** Lines of the log, newest last. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  post(path: string, body: object, key?: string): Promise<Response>;
  get(path: string): Promise<Response>;
  /** The report of a reconciliation that begins now. */
  reconciled(): Promise<Record<string, unknown>>;
  submit(body: CommandBody): Promise<Outcome>;
  /** A market of the template with the given params. */
  market(templateId: string, params: Readonly<Record<string, string | number>>): Promise<MarketId>;
  close(): Promise<void>;
}

export async function openOperator(
  name: LaneName = 'sandbox',
  custodyOf?: (clock: ManualClock) => Custody,
  isFactorRequired = false,
  isMailed = true,
): Promise<OperatorHarness> {
  const clock = new ManualClock(NOON_MS);
  const lines: Readonly<Record<string, unknown>>[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const platform = new MemoryPlatformStore();
  const secrets = new KeyedSecrets(randomBytes(32));
  const mail = new MemoryMail();
  const mailer = new Mailer({
    ...{ mail, letters: platform.letters, random: systemRandom, clock },
    vault: new Vault(secrets, systemRandom, 'letters 1'),
    failed: () => undefined,
  });
  const links = new Links({
    ...{ platform, secrets, random: systemRandom, clock },
    ...{ origin: 'https://sibyl.example', mailer: isMailed ? mailer : null },
  });
  const journal = new MemoryJournal();
  const lane = await Lane.open({
    name,
    parameters: DEFAULT_PARAMETERS,
    journal,
    snapshots: null,
    clock,
  });
  const submit = (body: CommandBody): Promise<Outcome> =>
    lane.submit({ body, actor: { kind: 'system' }, requestId: 'test' });
  await prepare(submit, name);
  const operators = new MemoryOperatorStore();
  const token = operatorTokenOf(TOKEN, 'admin', secrets);
  const history = await historyOf(lane);
  const keeper = { rebuild: null, begin: () => true };
  const watched: WatchedLane = {
    lane,
    journal,
    snapshots: null,
    history,
    keeper,
  };
  const log = createLog('warn', destination);
  const depositTurns = new Turns();
  const refusals = new Refusals(clock);
  const closingTurns = new Turns();
  const custodyWatch = new CustodyWatch({
    clock,
    askEveryMs: null,
    ...outagesInto(log, CUSTODY_OUTAGE),
  });
  const asked = custodyOf?.(clock);
  const custody = asked && custodyWatch.over(asked);
  const reporting = { opened: { [name]: watched }, depositTurns, closingTurns, log };
  const reports = custody === undefined ? null : custodyReports(reporting, custody);
  const gateway = await createGateway({
    operations: operatorOperations,
    ...(reports !== null && { custodyReports: reports }),
    handlers: operatorHandlers({
      alarms: { current: [] },
      jobs: { reports: [] },
      ...reporting,
      ...(custody !== undefined && { custody, custodyWatch }),
      refusals,
      depositApprovalAbove: 1_000_000_000n,
      challengeMinSec: 3600,
      platform,
      operators,
      passwords: quickPasswords,
      signInPasswords: quickPasswords,
      secrets,
      signing: signingOf(platform, secrets),
      vault: new Vault(secrets, systemRandom, 'authenticator seeds 1'),
      random: systemRandom,
      clock,
      links,
      letters: new MailedLetters({ platform, clock, mailer: isMailed ? mailer : null }),
      office: await ComplianceOffice.open({
        platform,
        lanes: { [name]: lane },
        secrets,
        random: systemRandom,
        clock,
      }),
      maintenance: await MaintenanceWindow.open(platform, clock),
      localReceivers: new LocalReceivers(clock, []),
      modes: await openModes({ [name]: watched }),
      reconciliations: new Reconciliations({ clock, platform }),
      views: exampleViews(lane),
      samples: { after: () => [] },
      backups: () => [],
      backUp: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return { folder: '/backups/1', createdAtMs: clock.wallMs(), lanes: [], leftOut: [] };
      },
    }),
    lanes: { [name]: lane },
    platform,
    secrets,
    random: systemRandom,
    clock,
    log,
    operatorGuard: new OperatorGuard({
      ...{ operators, secrets, clock, token, isFactorRequired },
      noteRefusal: refusalsInto({ operators, secrets, clock, refusals }),
    }),
  });
  const authorization = `Bearer ${TOKEN}`;
  const reconciled = async (): Promise<Record<string, unknown>> => {
    const url = '/admin/v1/reconciliation';
    const headers = { authorization };
    const payload = { lane: 'sandbox', reason: 'a test' };
    await gateway.app.inject({ method: 'POST', url, headers, payload });
    for (;;) {
      const answer = await gateway.app.inject({ url: `${url}?lane=sandbox`, headers });
      const { run, report } = answer.json().data;
      if (run.state !== 'running') return report;
    }
  };
  return {
    gateway,
    closingTurns,
    reports,
    clock,
    platform,
    operators,
    links,
    async mailed() {
      await mailer.settled();
      return mail.letters;
    },
    lane,
    journal,
    token: TOKEN,
    custody,
    lines,
    post: (path, body, key) =>
      gateway.app.inject({
        method: 'POST',
        url: `/admin/v1${path}`,
        payload: body,
        headers: key === undefined ? { authorization } : { authorization, 'idempotency-key': key },
      }),
    get: (path) => gateway.app.inject({ url: `/admin/v1${path}`, headers: { authorization } }),
    reconciled,
    submit,
    async market(templateId, params) {
      const { answer } = await submit({
        type: 'create_market',
        accountId: trader,
        templateId: asTemplateId(templateId),
        params,
        displayTitle: null,
        displayImageUrl: null,
      });
      if (!answer.ok || answer.result.kind !== 'market') throw new Error(JSON.stringify(answer));
      return answer.result.marketId;
    },
    async close() {
      await custodyWatch.close();
      await gateway.close();
      await mailer.close();
      await lane.close();
      await history.close();
    },
  };
}

/** Of everything that the lane does. */
export async function historyOf(lane: Lane): Promise<LiveHistory> {
  const history = await LiveHistory.open({
    store: new SqliteReadStore(IN_MEMORY),
    failed: (error) => {
      throw error;
    },
  });
  await history.follow(lane);
  return history;
}

async function prepare(
  submit: (body: CommandBody) => Promise<Outcome>,
  name: LaneName,
): Promise<void> {
  for (const template of seedTemplates(name)) {
    await submit({ type: 'publish_template', template });
  }
  await submit({
    type: 'open_account',
    accountId: trader,
    mode: name,
    parentId: null,
    referrerId: null,
  });
  const amount = usdt(10_000_000_000n);
  await submit(
    name === 'sandbox'
      ? { type: 'faucet', accountId: trader, keyId: null }
      : { type: 'deposit', accountId: trader, amount, reference: 'wire-0' },
  );
}

/** The contract's examples with what the tests look at put in. */
function exampleViews(lane: Lane): Parameters<typeof operatorHandlers>[0]['views'] {
  return {
    async market(_lane, marketId) {
      const found = await lane.read((state) => {
        const market = state.markets.get(asMarketId(marketId));
        if (market === undefined) throw new Error(`no market ${marketId}`);
        return { status: market.status, halted: market.halted, approved: market.approved };
      });
      return { ...operatorOperations.haltMarket.example.data, market_id: marketId, ...found };
    },
    async template(_lane, templateId) {
      const versions = await lane.read((state) => state.templates.get(asTemplateId(templateId)));
      const latest = versions?.at(-1);
      if (latest === undefined) throw new Error(`no template ${templateId}`);
      const { version, status } = latest;
      const { data } = operatorOperations.publishTemplate.example;
      return { ...data, id: templateId, version, status };
    },
    async templates() {
      return [operatorOperations.publishTemplate.example.data];
    },
  };
}
