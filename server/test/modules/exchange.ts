// A whole exchange over memory adapters, every answer of which is checked against the contract.
import { closedSchema, envelopeOf, type OperationId, operations } from '@sibyl/contract';
import type { CommandBody, Outcome, TemplateDefinition } from '@sibyl/engine';
import { asAccountId, asTemplateId, PLATFORM_ACCOUNT } from '@sibyl/engine';
import { LiveHistory } from '@sibyl/history';
import { IN_MEMORY, SqliteReadStore } from '@sibyl/history/testing';
import { ManualClock } from '@sibyl/lane/testing';
import { usdt } from '@sibyl/money';
import { Ajv } from 'ajv';
import type { Response } from 'light-my-request';
import { expect } from 'vitest';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
import { MemoryAppOwners } from '../../src/adapters/memory/app-owners.ts';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { LocalCustody } from '../../src/custody/local-custody.ts';
import type { LaneName } from '../../src/handling/handler.ts';
import { type DelegationParts, delegable } from '../../src/handling/on-behalf.ts';
import { Turns } from '../../src/handling/turns.ts';
import type { AnyHandler } from '../../src/http/bind.ts';
import { accountHandlers } from '../../src/modules/account/handlers.ts';
import { appHandlers } from '../../src/modules/apps/handlers.ts';
import { builderHandlers } from '../../src/modules/builders/handlers.ts';
import { composerHandlers } from '../../src/modules/composer/handlers.ts';
import { connectHandlers } from '../../src/modules/connect/handlers.ts';
import { limitHandlers } from '../../src/modules/limits/handlers.ts';
import { liquidityHandlers } from '../../src/modules/liquidity/handlers.ts';
import { type MarketParts, marketHandlers } from '../../src/modules/markets/handlers.ts';
import { orderHandlers } from '../../src/modules/orders/handlers.ts';
import { portfolioHandlers } from '../../src/modules/portfolio/handlers.ts';
import { revenueHandlers } from '../../src/modules/revenue/handlers.ts';
import { sandboxHandlers } from '../../src/modules/sandbox/handlers.ts';
import { subaccountHandlers } from '../../src/modules/subaccounts/handlers.ts';
import { withdrawalHandlers } from '../../src/modules/withdrawals/handlers.ts';
import type { Custody } from '../../src/ports/custody.ts';
import { SANDBOX_PARAMETERS } from '../engine-lane.ts';
import {
  bearer,
  type Harness,
  type HarnessOptions,
  NOON_MS,
  openHarness,
} from '../gateway/harness.ts';

/** How long a new destination is not usable. */
export const DELAY_MS = 3_600_000;

export interface Exchange extends Harness {
  readonly histories: Readonly<Record<LaneName, LiveHistory>>;
  readonly owners: MemoryAppOwners;
  /** Calls an operation at the sandbox address and checks the answer's form. */
  ask(id: OperationId, options?: AskOptions): Promise<Answered>;
  operate(body: CommandBody, lane?: LaneName): Promise<Outcome>;
  /** Made by the platform, or for the account. */
  market(template: string, number?: number, creatorId?: string): Promise<string>;
  /** A session with money in the sandbox. */
  trader(): Promise<string>;
}

export interface AskOptions {
  readonly token?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  readonly at?: '' | '/sandbox';
  readonly key?: string;
}

/** An answer with its parts at hand; `data` is null where there is an error. */
export interface Answered {
  readonly response: Response;
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schema, then read freely.
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  readonly meta: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  readonly error: any;
}

const ajv = new Ajv({ strict: false, formats: { int64: true, 'date-time': true, uri: true } });
const checks = new Map(
  Object.values(operations).map((operation) => [
    operation.id,
    ajv.compile(closedSchema(envelopeOf(operation))),
  ]),
);

interface ExchangeOptions extends HarnessOptions {
  readonly custody?: Custody;
  /** Of operations that the contract does not have. */
  readonly plantedHandlers?: Readonly<Record<string, AnyHandler>>;
}

export async function openExchange(
  bookSeq?: MarketParts['bookSeq'],
  { custody, plantedHandlers, ...options }: ExchangeOptions = {},
): Promise<Exchange> {
  const histories: Partial<Record<LaneName, LiveHistory>> = {};
  const platform = new MemoryPlatformStore();
  const manualClock = options.manualClock ?? new ManualClock(NOON_MS);
  const payouts = {
    custody: custody ?? new LocalCustody({ till: platform.till, clock: manualClock }),
    destinationDelayMs: DELAY_MS,
    approvalAbove: 90_000_000n,
    leastAmount: 1_000_000n,
    depositInstructions: 'Send it with {account_id}.',
  };
  const parts = { histories, platform, ...(bookSeq === undefined ? {} : { bookSeq }) };
  const turns = { exclusionTurns: new Turns() };
  const owners = new MemoryAppOwners();
  const peppered = {
    ...{ platform, clock: manualClock, random: systemRandom },
    // As the gateway has them: a secret is made and checked with the same pepper.
    get secrets() {
      return harness.secrets;
    },
  };
  const delegation: DelegationParts = {
    platform,
    screening: { restrictionsOf: (user, tier) => harness.office.restrictionsOf(user, tier) },
  };
  const harness: Harness = await openHarness({
    platform,
    rateMultiplier: 0,
    parameters: SANDBOX_PARAMETERS,
    ...options,
    manualClock,
    overrides: delegable(delegation, {
      ...builderHandlers({
        ...{ platform, clock: manualClock },
        volume: {
          ofKey: async (publicId, firstDay, lastDay) =>
            usdt((await histories.sandbox?.keyVolume(publicId, firstDay, lastDay)) ?? 0n),
        },
      }),
      ...appHandlers(peppered),
      ...connectHandlers(
        Object.assign(peppered, { flushUses: () => harness.gateway.authenticator.flush() }),
      ),
      ...marketHandlers(parts),
      ...composerHandlers({ ...parts, ...turns }),
      ...orderHandlers(parts),
      ...accountHandlers(parts),
      ...portfolioHandlers({ ...parts, payouts }),
      ...revenueHandlers({ ...parts, histories: histories as never, owners, clock: manualClock }),
      ...liquidityHandlers(),
      ...sandboxHandlers({
        ...parts,
        office: { admitFaucet: (bucket, id) => harness.office.admitFaucet(bucket, id) },
      }),
      ...limitHandlers({ ...parts, ...turns, clock: manualClock }),
      ...subaccountHandlers({ ...parts, random: options.random ?? systemRandom }),
      ...withdrawalHandlers({
        platform,
        clock: manualClock,
        random: systemRandom,
        payouts,
      }),
      ...plantedHandlers,
    }) as never,
  });
  for (const [name, lane] of Object.entries(harness.lanes)) {
    const history = await LiveHistory.open({
      store: new SqliteReadStore(IN_MEMORY),
      failed: (error) => {
        throw error;
      },
    });
    await history.follow(lane);
    histories[name as LaneName] = history;
  }
  const exchange: Exchange = {
    ...harness,
    histories: histories as Record<LaneName, LiveHistory>,
    owners,
    ask: (id, options) => ask(harness, id, options ?? {}),
    operate: (body, lane = 'sandbox') => operate(harness, body, lane),
    market: (template, number = 0, creatorId = PLATFORM_ACCOUNT) =>
      createMarket(exchange, template, number, creatorId),
    trader: () => openTrader(exchange),
    async close() {
      await harness.close();
      for (const history of Object.values(histories)) await history.close();
    },
  };
  const amount = usdt(1_000_000_000_000n);
  const accountId = asAccountId(PLATFORM_ACCOUNT);
  await exchange.operate({ type: 'deposit', accountId, amount, reference: 'start' });
  for (const template of TEMPLATES) await publish(exchange, template);
  return exchange;
}

async function ask(harness: Harness, id: OperationId, options: AskOptions): Promise<Answered> {
  const { token, params = {}, query = {}, body, at = '/sandbox', key } = options;
  const operation = operations[id];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const response = await harness.call({
    method: operation.method,
    url: `${at}${path}${search === '' ? '' : `?${search}`}`,
    headers: {
      ...(token === undefined ? {} : bearer(token)),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  const answer = response.json();
  if (response.statusCode === 200) {
    const check = checks.get(id)!;
    expect(check(answer), `${id}: ${JSON.stringify(check.errors)} ${response.payload}`).toBe(true);
  } else {
    expect(operation.errors as readonly string[], response.payload).toContain(answer.error.code);
  }
  return { response, data: answer.data, meta: answer.meta, error: answer.error ?? null };
}

async function operate(harness: Harness, body: CommandBody, lane: LaneName): Promise<Outcome> {
  const outcome = await harness.lanes[lane]!.submit({
    body,
    actor: { kind: 'operator', name: 'test', reason: 'test' },
    requestId: 'test',
  });
  expect(
    outcome.answer.ok,
    JSON.stringify(outcome.answer, (_, v) => String(v)),
  ).toBe(true);
  return outcome;
}

async function publish(exchange: Exchange, template: TemplateDefinition): Promise<void> {
  await exchange.operate({ type: 'publish_template', template });
}

async function createMarket(
  exchange: Exchange,
  template: string,
  number: number,
  creatorId: string,
): Promise<string> {
  const { answer } = await exchange.operate({
    type: 'create_market',
    accountId: asAccountId(creatorId),
    templateId: asTemplateId(template),
    params: { n: number },
    displayTitle: null,
    displayImageUrl: null,
  });
  if (!answer.ok || answer.result.kind !== 'market') throw new Error('no market was made');
  return answer.result.marketId;
}

async function openTrader(exchange: Exchange): Promise<string> {
  const token = await exchange.session();
  const { data } = await exchange.ask('useFaucet', { token });
  expect(data.balance_free).toBe('10000.000000');
  return token;
}
