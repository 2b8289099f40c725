// A lane with any number of orders, half of them of one account, and every read of both planes with the longest time for
// which it holds the event loop.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AnyOperation,
  type OperationId,
  operations,
  operatorOperations,
} from '@sibyl/contract';
import {
  type AccountId,
  asAccountId,
  asMarketId,
  asTemplateId,
  type CommandBody,
  DEFAULT_PARAMETERS,
  type MarketId,
  type Outcome,
  type Parameters,
  PLATFORM_ACCOUNT,
  type PlaceOrder,
  type TemplateDefinition,
} from '@sibyl/engine';
import { LiveHistory } from '@sibyl/history';
import { SqliteReadStore } from '@sibyl/history/testing';
import { ManualClock, MemoryJournal } from '@sibyl/lane/testing';
import { lots, pips, type Usdt, usdt } from '@sibyl/money';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { bodyOf } from '../../src/delivery/body.ts';
import { Turns } from '../../src/handling/turns.ts';
import type { AnyHandler } from '../../src/http/bind.ts';
import { accountHandlers } from '../../src/modules/account/handlers.ts';
import { composerHandlers } from '../../src/modules/composer/handlers.ts';
import { liquidityHandlers } from '../../src/modules/liquidity/handlers.ts';
import { marketHandlers } from '../../src/modules/markets/handlers.ts';
import { orderHandlers } from '../../src/modules/orders/handlers.ts';
import { portfolioHandlers } from '../../src/modules/portfolio/handlers.ts';
import { webhookHandlers } from '../../src/modules/webhooks/handlers.ts';
import type { DeliveryRecord, WebhookStore } from '../../src/ports/webhooks.ts';
import { openWebhooks } from '../../src/stores/open-stores.ts';
import { orderIdText } from '../../src/wire/ids.ts';
import { bearer, type Harness, NOON_MS, openHarness } from '../gateway/harness.ts';
import { addDeliveries, WEBHOOK } from './deliveries.ts';
import { openOperatorPlane } from './operator-plane.ts';

const MARKETS = 200;
/** Nobody trades there. */
const QUIET_MARKETS = 1;
const MAKERS = 40;
/** To so many orders there is one account that holds shares of the first market. */
const ORDERS_PER_HOLDER = 4;
const CHUNK = 500;
const CHUNK_MS = 2_000;
const PRICE = 5_000;
const DAY_MS = 86_400_000;
const LIMIT_NONE = 100_000_000_000;
const FUNDS = usdt(100_000_000_000_000n);
/** So many hold shares that the ledger could not hold more for each. */
const HOLDER_FUNDS = usdt(1_000_000_000n);
const DELIVERIES = 12_000;

/** So few accounts would meet the limits per account. */
const PARAMETERS: Parameters = {
  ...DEFAULT_PARAMETERS,
  risk: {
    openOrdersPerMarket: LIMIT_NONE,
    openOrdersPerAccount: LIMIT_NONE,
    positionLotsMax: LIMIT_NONE,
    openNotionalMax: usdt(1_000_000_000_000_000n),
    openMarketsPerCreator: LIMIT_NONE,
    bidReserveMin: usdt(0n),
  },
};

export interface Stage {
  /** Every read of both planes, and each in the forms that make it look far: all as `operation what`. */
  readonly reads: ReadonlyMap<string, string>;
  get(address: string): Promise<GotAnswer>;
  close(): Promise<void>;
}

export interface GotAnswer {
  readonly status: number;
  readonly body: { readonly data: unknown; readonly meta: { readonly next_cursor?: string } };
}

export async function openStage(folder: string, orders: number): Promise<Stage> {
  const clock = new ManualClock(NOON_MS);
  const platform = new MemoryPlatformStore();
  const store = new SqliteReadStore(`${folder}/read-model.db`);
  const history = await LiveHistory.open({ store, failed: () => undefined });
  const webhooks = await openWebhooks(folder);
  const journal = new MemoryJournal();
  const harness = await openHarness({
    platform,
    journal,
    manualClock: clock,
    rateMultiplier: 0,
    lanes: ['sandbox'],
    parameters: PARAMETERS,
    overrides: readHandlers(history, platform, webhooks, clock),
  });
  const world = new World(harness);
  await history.follow(world.lane);
  const markets = await world.createMarkets();
  const token = await harness.key({ session: await harness.session(), at: '/sandbox' });
  const accountId = await ownAccount(harness, token);
  await world.trade(accountId, markets, orders);
  await world.gather(markets[0]!, Math.ceil(orders / ORDERS_PER_HOLDER));
  await history.projector.flush();
  await addDeliveries(webhooks, accountId, DELIVERIES);
  // By now the engine has forgotten the names, and history alone knows them.
  await world.pass(2 * DAY_MS);
  const session = await harness.session();
  const operator = await openOperatorPlane(harness, world.lane, journal, history);
  return {
    reads: readsOf(markets, world.firstOrderId, accountId),
    async get(address) {
      const answer = await (OPERATORS.test(address)
        ? operator.get(address)
        : harness.call({
            url: `/sandbox${address}`,
            headers: bearer(SESSIONS_ONLY.test(address) ? session : token),
          }));
      return {
        status: answer.statusCode,
        get body() {
          return answer.json();
        },
      };
    },
    async close() {
      await operator.close();
      await harness.close();
      await history.close();
      await webhooks.close();
    },
  };
}

/** CPU time of the longest stretch in which nobody else had a turn, of the best of some tries: a busy machine only adds. */
export async function longestTurnMs(act: () => Promise<unknown>, tries: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    let longest = 0;
    let before = threadCpuMs();
    let isOver = false;
    const measure = (): void => {
      const now = threadCpuMs();
      longest = Math.max(longest, now - before);
      before = now;
      if (!isOver) setImmediate(measure);
    };
    setImmediate(measure);
    await act();
    isOver = true;
    measure();
    await nextTurn();
    best = Math.min(best, longest);
  }
  return best;
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function readHandlers(
  history: LiveHistory,
  platform: MemoryPlatformStore,
  store: WebhookStore,
  clock: ManualClock,
): Readonly<Partial<Record<OperationId, AnyHandler>>> {
  const parts = { histories: { sandbox: history }, platform };
  const unused = (): never => {
    throw new Error('only reads are asked for');
  };
  const delivery = {
    store,
    inspect: unused,
    newWebhookId: unused,
    newSecret: unused,
    register: unused,
    change: unused,
    remove: unused,
    announceRotation: unused,
    test: unused,
    replay: unused,
    hasten: unused,
    body: ({ event, sequence }: DeliveryRecord) => bodyOf(event, sequence),
    deliveriesSince: unused,
  };
  return {
    ...marketHandlers(parts),
    ...composerHandlers({ ...parts, exclusionTurns: new Turns() }),
    ...orderHandlers(parts),
    ...accountHandlers(parts),
    ...portfolioHandlers(parts),
    ...liquidityHandlers(),
    ...webhookHandlers({ delivery, clock, platform }),
  };
}

async function ownAccount(harness: Harness, token: string): Promise<AccountId> {
  const answer = await harness.call({ url: '/sandbox/v1/account', headers: bearer(token) });
  return asAccountId(answer.json().data.account_id);
}

class World {
  readonly #harness: Harness;
  readonly lane: NonNullable<Harness['lanes']['sandbox']>;
  firstOrderId = '';

  constructor(harness: Harness) {
    this.#harness = harness;
    this.lane = harness.lanes.sandbox!;
  }

  async createMarkets(): Promise<readonly MarketId[]> {
    await this.#submit([{ type: 'publish_template', template: template() }]);
    const bodies = Array.from(
      { length: MARKETS + QUIET_MARKETS },
      (_, n): CommandBody => ({
        type: 'create_market',
        accountId: asAccountId(PLATFORM_ACCOUNT),
        templateId: asTemplateId('reads'),
        params: { n },
        displayTitle: null,
        displayImageUrl: null,
      }),
    );
    const outcomes = await this.#submit(bodies);
    return outcomes.map(({ answer }) => {
      if (answer.ok && answer.result.kind === 'market') return asMarketId(answer.result.marketId);
      throw new Error('create_market answered without a market');
    });
  }

  /** Makers rest an order, and the account takes it at once: two orders and one trade each time. */
  async trade(accountId: AccountId, markets: readonly MarketId[], orders: number): Promise<void> {
    const makers = Array.from({ length: MAKERS }, (_, n) => asAccountId(`acc_maker${n}`));
    await this.#submit([
      ...makers.map(opening),
      ...[accountId, ...makers].map((trader) => funding(trader, FUNDS)),
    ]);
    for (let from = 0; from < orders; from += CHUNK) {
      const bodies: CommandBody[] = [];
      for (let n = from; n < Math.min(from + CHUNK, orders); n += 1) {
        const pair = n >> 1;
        const marketId = markets[pair % MARKETS]!;
        bodies.push(
          n % 2 === 0
            ? order(makers[pair % MAKERS]!, marketId, 'yes', `maker-${n}`)
            : order(accountId, marketId, 'no', `order-${n}`),
        );
      }
      const outcomes = await this.#submit(bodies);
      this.firstOrderId ||= orderIdOf(outcomes[1]!);
      this.#harness.clock.advance(CHUNK_MS);
    }
  }

  /** So many accounts that have traded with each other and hold shares of the market. */
  async gather(marketId: MarketId, count: number): Promise<void> {
    for (let from = 0; from < count; from += CHUNK) {
      const crowd = Array.from({ length: CHUNK }, (_, n) => asAccountId(`acc_holder${from + n}`));
      const orders = crowd.map((holder, n) =>
        order(holder, marketId, n % 2 === 0 ? 'yes' : 'no', `holder-${from + n}`),
      );
      await this.#submit([
        ...crowd.map(opening),
        ...crowd.map((holder) => funding(holder, HOLDER_FUNDS)),
        ...orders,
      ]);
      this.#harness.clock.advance(CHUNK_MS);
    }
  }

  /** Time goes by, and the lane does what fell due. */
  async pass(elapsedMs: number): Promise<void> {
    this.#harness.clock.advance(elapsedMs);
    for (let tick = 0; tick < 4; tick += 1) await this.#submit([{ type: 'tick' }]);
  }

  /** Whoever waits to be gathered into a batch does so by the clock, which goes on by itself here. */
  async #submit(bodies: readonly CommandBody[]): Promise<readonly Outcome[]> {
    const actor = { kind: 'operator', name: 'test', reason: 'test' } as const;
    let isDone = false;
    const sent = Promise.all(
      bodies.map((body) => this.lane.submit({ body, actor, requestId: 'test' })),
    ).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      this.#harness.clock.advance(1);
      await nextTurn();
    }
    const outcomes = await sent;
    for (const { answer } of outcomes) {
      if (!answer.ok)
        throw new Error(`a preparation was refused: ${JSON.stringify(answer.rejection)}`);
    }
    return outcomes;
  }
}

function opening(accountId: AccountId): CommandBody {
  return { type: 'open_account', accountId, mode: 'sandbox', parentId: null, referrerId: null };
}

function funding(accountId: AccountId, amount: Usdt): CommandBody {
  return { type: 'deposit', accountId, amount, reference: `funds of ${accountId}` };
}

function template(): TemplateDefinition {
  const book = TEMPLATES.find(({ id }) => id === 'book')!;
  return { ...book, id: asTemplateId('reads'), durationSec: 30 * 86_400, bandPips: null };
}

function order(
  accountId: AccountId,
  marketId: MarketId,
  outcomeId: string,
  clientOrderId: string,
): PlaceOrder {
  return {
    type: 'place_order',
    accountId,
    marketId,
    outcomeId,
    side: 'buy',
    orderType: 'limit',
    price: pips(PRICE),
    lots: lots(100),
    maxCost: null,
    timeInForce: 'gtc',
    postOnly: false,
    reduceOnly: false,
    stpMode: 'cancel_resting',
    expiresAtMs: null,
    validUntilMs: null,
    clientOrderId,
    execution: 'hybrid',
    acceptPrice: false,
    builder: null,
    caps: null,
    grant: null,
  };
}

function orderIdOf({ answer }: Outcome): string {
  if (answer.ok && answer.result.kind === 'order') {
    return orderIdText(answer.result.order.orderId);
  }
  throw new Error('an order was answered by something else');
}

const PAGE = 'limit=500';
const LANE = 'lane=sandbox';
/** No operation, yet a read of the lanes. */
const METRICS = '/metrics';
/** Addresses that no key opens. */
const SESSIONS_ONLY = /^\/api\/auth\//;
/** Addresses of the operator plane. */
const OPERATORS = /^\/(admin|metrics)\b/;

/**
 * They ask no lane: the log of requests answers from a thread of its own, the status from memory, and what
 * is known of people, operators, rules and backups from their stores. Withdrawals are of the live lane alone, which has none here.
 */
export const READ_ELSEWHERE: ReadonlySet<string> = new Set([
  'getStatus',
  'listRequests',
  'getRequest',
  'getRequestSummary',
  'listFactors',
  'getProfile',
  'listSessions',
  'listGrants',
  'listDestinations',
  'getOperatorIdentity',
  'getOperatorFactor',
  'listOperatorSessions',
  'listApprovals',
  'getApproval',
  'findWithdrawals',
  'inspectWithdrawal',
  'listTrail',
  'listBackups',
  'listOperators',
  'getUserScopes',
  'findUser',
  'getUserAccess',
  'getSamples',
  'exportData',
  'getTierCeilings',
  'getRateQuotas',
  'getCompliance',
  'listComplianceFlags',
]);

function readsOf(
  markets: readonly MarketId[],
  orderId: string,
  accountId: AccountId,
): ReadonlyMap<string, string> {
  const market = markets[0]!;
  const quiet = markets.at(-1)!;
  const nobody = `0x${'0'.repeat(40)}`;
  const forms: Readonly<Record<string, readonly string[]>> = {
    getHealth: [''],
    listMarkets: [
      PAGE,
      `${PAGE}&sort=volume`,
      `${PAGE}&state=locked`,
      'history=1d&limit=50',
      'q=nothing+of+this',
      `creator_address=${nobody}`,
    ],
    getMarket: [''],
    listCandles: [`outcome_id=yes&${PAGE}`, `outcome_id=yes&interval=1d&${PAGE}`],
    getOrderBook: ['outcome_id=yes&depth=100'],
    listTrades: [PAGE, `outcome_id=yes&${PAGE}`],
    listTemplates: [''],
    getAccount: [''],
    listPositions: [PAGE, `market_id=${quiet}`],
    listOrders: [
      PAGE,
      `status=cancelled&${PAGE}`,
      `status=pending&${PAGE}`,
      `market_id=${quiet}`,
      'client_order_id=order-1',
      'client_order_id=nobody-knows-it',
    ],
    listFills: [PAGE, `market_id=${quiet}`],
    getOrder: [orderId, 'coid:order-1', 'coid:nobody-knows-it'],
    listKeys: [''],
    getBuilder: [''],
    listApps: [PAGE],
    getAttribution: [`group_by=fill&${PAGE}`, `group_by=day&${PAGE}`, 'group_by=key'],
    getRevenue: [`group_by=fill&${PAGE}`, `group_by=actor&${PAGE}`],
    findBuilders: [PAGE],
    findApps: [PAGE],
    getLqfConfig: [''],
    getBalance: [''],
    getPortfolioSummary: ['range=1d', 'range=all'],
    listLedger: [PAGE, 'reason=withdrawal', `market_id=${quiet}`, `from_ms=${NOON_MS}&${PAGE}`],
    listSubaccounts: [PAGE],
    getOwnLimits: [''],
    listWithdrawals: ['limit=500'],
    listDeposits: ['limit=500'],
    getWithdrawal: [''],
    listWebhooks: [''],
    listWebhookDeliveries: [PAGE, 'status=exhausted', 'event_type=market.created'],
    previewCancellation: [LANE],
    getCancellationPrice: [''],
    previewRounds: [`${LANE}&market_ids=${market}&to_ms=${NOON_MS}`],
    getReconciliation: [LANE],
    getQueues: [LANE],
    getPlatform: [''],
    listAlarms: [''],
    listJobs: [''],
    findMarkets: [LANE, `${LANE}&q=nothing+of+this`, `${LANE}&status=locked`],
    findTemplates: [LANE, `${LANE}&status=deprecated`],
    findAccounts: [`${LANE}&q=acc_nobody`],
    listAccountOrders: [`${LANE}&${PAGE}`],
    listAccountFills: [`${LANE}&${PAGE}`],
    listAccountLedger: [`${LANE}&${PAGE}`],
    listAccountDeposits: [LANE],
    getParameters: [LANE],
    getHistory: [LANE],
  };
  const reads = new Map([['metrics', METRICS]]);
  const all: readonly AnyOperation[] = Object.values({ ...operations, ...operatorOperations });
  for (const { id, method, path } of all) {
    if (method !== 'GET' || READ_ELSEWHERE.has(id)) continue;
    const known = forms[id];
    if (known === undefined) throw new Error(`no form of ${id} is known here`);
    for (const form of known) {
      const named = path
        .replace('{market_id}', market)
        .replace('{account_id}', accountId)
        .replace('{webhook_id}', WEBHOOK)
        .replace('{withdrawal_id}', 'wd_0000000001')
        .replace('{order_id}', form);
      const isInPath = path.includes('{order_id}') || form === '';
      reads.set(`${id} ${form}`, isInPath ? named : `${named}?${form}`);
    }
  }
  return reads;
}
