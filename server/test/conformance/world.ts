// The real server on a seeded data folder, and the people, keys and markets that the suite acts with.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type AnyOperation,
  type OperationId,
  operations,
  operatorOperations,
} from '@sibyl/contract';
import type { Server } from '@sibyl/server';
import { Mailbox } from '../mailbox.ts';
import { seedSandbox } from '../seeded-sandbox.ts';
import { type Answer, Client, type Sent } from './http.ts';
import { dataOf, faultsOf, isRecord, listOf } from './judge.ts';
import { type Prologue, playPrologue } from './prologue.ts';
import { environmentOf, mailedTo, OPERATOR_TOKEN, PASSWORD, serve } from './settings.ts';

type Base = '' | '/sandbox';

const DAY_MS = 86_400_000;
const ROUNDS = 10;
const ROUND_LIFE_SEC = 480;
const ROUND_TRADED_MS = 4_000;
/** Older ones may lock before they are halted. */
const ROUND_USED_MS = 300_000;

/** One request of an operation; what is left out takes the ordinary value. */
export interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>> | string;
  readonly body?: unknown;
  /** Instead of `body`: the bytes themselves. */
  readonly raw?: string | Buffer;
  /** Null sends none. */
  readonly token?: string | null;
  readonly base?: Base;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
  /** The path parameters are escaped already. */
  readonly isEscaped?: boolean;
}

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly session: string;
  /** In the lane that was registered at. */
  readonly accountId: string;
  /** May read and trade in the sandbox. */
  readonly key: string;
}

export const allOperations: readonly AnyOperation[] = [
  ...Object.values<AnyOperation>(operations),
  ...Object.values<AnyOperation>(operatorOperations),
];

export function operationOf(id: string): AnyOperation {
  const operation = allOperations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
}

/** Whether its requests may be answered straight on the socket. */
export function mayBeDirect({ group, method, input }: AnyOperation): boolean {
  return group === 'Orders' && method === 'POST' && input.params === null;
}

export class World {
  #server: Server;
  readonly #prologue: Prologue | null;
  readonly mailbox: Mailbox;
  readonly #client: Client;
  readonly dataDir: string;
  #count = 0;
  #disputed = -1;
  #opened = 0;
  #changed: Readonly<Record<string, string>> = {};

  private constructor(
    server: Server,
    prologue: Prologue | null,
    mailbox: Mailbox,
    client: Client,
    dataDir: string,
  ) {
    this.#server = server;
    this.#prologue = prologue;
    this.mailbox = mailbox;
    this.#client = client;
    this.dataDir = dataDir;
  }

  static open(): Promise<World> {
    return World.#open(playPrologue);
  }

  /** For those who need none of what happened before: it takes a third of the time. */
  static openBare(): Promise<World> {
    return World.#open(async () => null);
  }

  static async #open(
    play: (dataDir: string, client: Client) => Promise<Prologue | null>,
  ): Promise<World> {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'sibyl-conformance-'));
    const client = new Client();
    await seedSandbox(dataDir);
    const prologue = await play(dataDir, client);
    const mailbox = await Mailbox.open();
    const environment = { ...environmentOf(dataDir), ...mailedTo(mailbox) };
    const server = await serve(environment, dataDir);
    return new World(server, prologue, mailbox, client, dataDir);
  }

  get prologue(): Prologue {
    if (this.#prologue === null) throw new Error('nothing happened before');
    return this.#prologue;
  }

  get server(): Server {
    return this.#server;
  }

  /** The same data, served by the next start; `meanwhile` nobody serves it. */
  async restart(
    changed: Readonly<Record<string, string>> = this.#changed,
    meanwhile: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    this.#changed = changed;
    await this.#server.close();
    await meanwhile();
    const { dataDir } = this;
    const environment = { ...environmentOf(dataDir), ...mailedTo(this.mailbox), ...changed };
    this.#server = await serve(environment, dataDir);
  }

  /** A number that the operator's port shows. */
  async metric(name: string): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.server.adminPort}/metrics`);
    const line = (await answer.text()).split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.server.close();
    await this.mailbox.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** A name nobody has used. */
  fresh(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  /** An address nobody has come from. */
  freshAddress(): string {
    this.#count += 1;
    // Each in a network of its own, which has limits too.
    return `198.18.${this.#count & 255}.${this.#count >> 8}`;
  }

  operation(id: string): AnyOperation {
    return operationOf(id);
  }

  send(operation: AnyOperation, call: Call): Promise<Answer> {
    return this.#client.send(this.#sent(operation, call));
  }

  /** All of them on one connection, in one write. */
  sendTogether(all: readonly (readonly [AnyOperation, Call])[]): Promise<readonly Answer[]> {
    const sent = all.map(([operation, call]) => this.#sent(operation, call));
    return this.#client.pipeline(sent[0]!.port, sent);
  }

  #sent(operation: AnyOperation, call: Call): Sent {
    const isOperator = operation.group === 'Operator';
    const token = call.token === undefined && isOperator ? OPERATOR_TOKEN : call.token;
    const key = call.key === undefined ? this.#ordinaryKey(operation) : call.key;
    const hasBody = call.raw !== undefined || call.body !== undefined;
    const body = call.raw ?? (call.body === undefined ? null : JSON.stringify(call.body));
    return {
      port: isOperator ? this.server.adminPort : this.server.port,
      method: operation.method,
      path: `${isOperator ? '' : (call.base ?? '/sandbox')}${pathOf(operation, call)}`,
      headers: {
        ...(token === undefined || token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(key === null ? {} : { 'idempotency-key': key }),
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...(call.address === undefined ? {} : { 'x-forwarded-for': call.address }),
        ...call.headers,
      },
      body,
      isDirect: mayBeDirect(operation),
      // Wrong bearers of the operator plane are counted by address, and nothing is forwarded there.
      localAddress: isOperator && token !== OPERATOR_TOKEN ? this.#localAddress() : undefined,
    };
  }

  /** For scenes that must work before anything is tested with them. */
  async data(id: OperationId | string, call: Call): Promise<Record<string, unknown>> {
    return dataOf(await this.checked(id, call));
  }

  async list(id: OperationId, call: Call): Promise<readonly Record<string, unknown>[]> {
    return listOf(await this.checked(id, call));
  }

  async checked(id: string, call: Call): Promise<Answer> {
    const operation = operationOf(id);
    const answer = await this.send(operation, call);
    const faults = faultsOf(operation, answer);
    if (faults.length > 0) throw new Error(`${id}: ${faults.join('; ')}: ${answer.text}`);
    return answer;
  }

  async person(name: string, base: Base = '/sandbox'): Promise<Person> {
    const email = `${this.fresh(name)}@example.com`;
    const body = { email, password: PASSWORD };
    const session = await this.data('register', { base, body });
    const token = String(session.session_token);
    const key = await this.mint(token, ['read', 'trade'], base);
    const accountId = String(session.account_id);
    return { email, password: PASSWORD, session: token, accountId, key };
  }

  /** A raw key of the session's user. */
  async mint(
    session: string,
    permissions: readonly string[],
    base: Base = '/sandbox',
    more: object = {},
  ): Promise<string> {
    const body = { permissions, ...more };
    const minted = await this.data('mintKey', { token: session, base, body });
    return String(minted.key_id);
  }

  /** A key of an address that never had one: an account of its own in the sandbox. */
  async strangersKey(): Promise<string> {
    const minted = await this.data('mintSandboxKey', { address: this.freshAddress() });
    return String(minted.key_id);
  }

  /** An account of nobody else. */
  async strangersAccount(): Promise<string> {
    const { account_id: id } = await this.data('getAccount', { token: await this.strangersKey() });
    return String(id);
  }

  async fund(accountId: string, amount: string, lane = 'sandbox', token?: string): Promise<void> {
    const reference = this.fresh('wire-');
    await this.data('creditDeposit', {
      ...(token === undefined ? {} : { token }),
      params: { account_id: accountId },
      body: { lane, reason: 'a scene', asset: 'USDT', amount, external_ref: reference },
    });
  }

  /** A fresh market of its own: binary, active, settled by the mock source. */
  async market(creator: Person): Promise<string> {
    const made = await this.data('createMarket', {
      token: creator.key,
      body: { template_id: 'own-question', params: this.question() },
    });
    return String((made.market as Record<string, unknown>).market_id);
  }

  /** Halted, after its maker has bought of it. */
  async tradedMarket(maker: Person): Promise<string> {
    const id = await this.market(maker);
    const order = { market_id: id, outcome_id: 'yes', side: 'buy', order_type: 'market' };
    const body = { ...order, size: '2', time_in_force: 'ioc' };
    await this.data('placeOrder', { token: maker.key, body });
    await this.halt(id);
    return id;
  }

  /** A window around all trading of a halted market, and what a cancellation pays by it. */
  async fairValue(marketId: string): Promise<{ window: object; expected: unknown }> {
    const window = { from_ms: Date.now() - DAY_MS, to_ms: Date.now() + DAY_MS };
    const { from_ms: from, to_ms: to } = window;
    const query = { lane: ACT.lane, from_ms: String(from), to_ms: String(to) };
    const params = { market_id: marketId };
    const { named } = await this.data('previewCancellation', { params, query });
    return { window, expected: (named as Record<string, unknown>).payout_vector };
  }

  /** A market whose cancellation is proposed. */
  async cancellation(maker: Person): Promise<string> {
    const id = await this.tradedMarket(maker);
    const terms = { cause: 'other', evidence: ['https://example.com'] };
    const body = { ...ACT, ...terms, ...(await this.fairValue(id)) };
    await this.data('proposeCancellation', { params: { market_id: id }, body });
    return id;
  }

  /** The cancellation of a halted round that has traded for some seconds. */
  async roundsToCancel(): Promise<{ to_ms: number; rounds: readonly object[] }> {
    const isOld = Date.now() - this.#roundsMadeAtMs > ROUND_USED_MS;
    if (this.#rounds.length === 0 || isOld) await this.#makeRounds();
    const id = this.#rounds.pop() ?? '';
    await this.halt(id);
    const toMs = Date.now();
    const query = { lane: ACT.lane, market_ids: id, to_ms: String(toMs) };
    const { rounds } = await this.data('previewRounds', { query });
    const [shown] = rounds as Record<string, unknown>[];
    return { to_ms: toMs, rounds: [{ market_id: id, expected: shown?.payout_vector }] };
  }

  #rounds: string[] = [];
  #roundsMadeAtMs = 0;

  /** Several at once: a third of a round's trading time must hold a second of the grid. */
  async #makeRounds(): Promise<void> {
    const { template } = operatorOperations.publishTemplate.example.body;
    const oracle = { source: 'price_feed', challenge_sec: 0 };
    const round = { round_config: { duration_sec: ROUND_LIFE_SEC, lock_offset_ms: 1000 } };
    const fast = { ...template, id: this.fresh('round-'), version: 1, market_type: 'fast' };
    const published = { ...fast, oracle_config: oracle, ...round };
    await this.data('publishTemplate', { body: { ...ACT, template: published } });
    await this.fund('acc_platform', '1000000');
    this.#rounds = [];
    this.#roundsMadeAtMs = Date.now();
    for (let count = 0; count < ROUNDS; count += 1) {
      const body = { ...ACT, template_id: fast.id, params: this.question() };
      const { market_id: id } = await this.data('createPlatformMarket', { body });
      this.#rounds.push(String(id));
    }
    await new Promise((resolve) => setTimeout(resolve, ROUND_TRADED_MS));
  }

  async unapprovedMarket(creator: Person): Promise<string> {
    const made = await this.data('createMarket', {
      token: creator.key,
      body: {
        template_id: 'yes-no-question',
        params: this.question(),
      },
    });
    return String((made.market as Record<string, unknown>).market_id);
  }

  question(): Readonly<Record<string, unknown>> {
    return { question: this.fresh('Is it '), closes_at_ms: Date.now() + 86_400_000 };
  }

  /** An order far from any price, which stays open. */
  async openOrder(owner: Person, marketId: string): Promise<string> {
    // Only so many may be open at a time.
    if (this.#opened % 50 === 49) await this.data('cancelAllOrders', { token: owner.key });
    this.#opened += 1;
    const order = await this.data('placeOrder', { token: owner.key, body: resting(marketId) });
    return String(order.order_id);
  }

  /** The next disputed market; the last one again when there are no more. */
  disputed(): string {
    const { disputedMarkets } = this.prologue;
    this.#disputed = Math.min(this.#disputed + 1, disputedMarkets.length - 1);
    return disputedMarkets[this.#disputed] ?? '';
  }

  /** A webhook to nowhere, and none beside it: there may be only so many. */
  async webhook(owner: Person): Promise<string> {
    await this.dropWebhooks(owner);
    const made = await this.data('createWebhook', { token: owner.key, body: this.webhookBody() });
    return String(made.webhook_id);
  }

  async dropWebhooks({ key, session }: Person): Promise<void> {
    for (const { webhook_id: id } of await this.list('listWebhooks', { token: key })) {
      await this.data('deleteWebhook', { token: session, params: { webhook_id: String(id) } });
    }
  }

  webhookBody(): Readonly<Record<string, unknown>> {
    return { url: `http://127.0.0.1:9/${this.fresh('')}`, event_types: ['order.filled'] };
  }

  async halt(marketId: string): Promise<void> {
    await this.data('haltMarket', { params: { market_id: marketId }, body: ACT });
  }

  async setMode(mode: 'read_only' | 'normal', lane: string = ACT.lane): Promise<void> {
    await this.data('setPlatformMode', { body: { ...ACT, lane, mode } });
  }

  async maintain(change: Readonly<Record<string, unknown>>): Promise<void> {
    await this.data('setMaintenance', { body: { reason: 'conformance', ...change } });
  }

  /** A fresh session of the first operator, or of one who may only look. */
  async operatorSession(who: 'admin' | 'viewer' = 'admin'): Promise<string> {
    const { operator } = this.prologue;
    const body = who === 'admin' ? operator : await this.viewer();
    const { session_token: token } = await this.data('openOperatorSession', { token: null, body });
    const confirmed = { token: String(token), body: { password: body.password } };
    await this.data('stepUpOperatorSession', confirmed);
    return String(token);
  }

  async viewer(): Promise<{ readonly name: string; readonly password: string }> {
    const name = this.fresh('viewer-');
    const { password } = await this.data('addOperator', { body: { reason: 'a scene', name } });
    return { name, password: String(password) };
  }

  /** What waits because the token asked for it. */
  async approvalId(): Promise<string> {
    const params = { operator_id: await this.operatorId() };
    const body = { reason: 'a scene', roles: ['support'] };
    return String((await this.data('setOperatorRoles', { params, body })).approval_id);
  }

  /** The id of an operator of its own. */
  async operatorId(): Promise<string> {
    const body = { reason: 'a scene', name: this.fresh('operator-') };
    const { operator } = await this.data('addOperator', { body });
    return String((operator as Record<string, unknown>).operator_id);
  }

  /** Waits until no rebuild of history is under way. */
  async historyIsQuiet(): Promise<void> {
    for (const lane of ['live', 'sandbox']) {
      for (;;) {
        const { rebuild } = await this.data('getHistory', { query: { lane } });
        if (!isRecord(rebuild) || rebuild.state !== 'running') break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  /** The report of a run that begins now. */
  async reconciled(lane: string): Promise<unknown> {
    const { run: begun } = await this.data('startReconciliation', { body: { ...ACT, lane } });
    for (let run = begun; ; ) {
      if (!isRecord(run) || run.state === 'failed') throw new Error(JSON.stringify(run));
      const state = await this.data('getReconciliation', { query: { lane } });
      if (run.state === 'done') return state.report;
      await new Promise((resolve) => setTimeout(resolve, 20));
      run = state.run;
    }
  }

  #localAddress(): string | undefined {
    this.#count += 1;
    return process.platform === 'linux'
      ? `127.${1 + (this.#count >> 14)}.${(this.#count >> 7) & 127}.${1 + (this.#count & 127)}`
      : undefined;
  }

  #ordinaryKey(operation: AnyOperation): string | null {
    return operation.idempotency === 'required' ? this.fresh('ordinary-') : null;
  }
}

/** Where, and why. */
export const ACT = { lane: 'sandbox', reason: 'conformance' } as const;

export function resting(marketId: string): Readonly<Record<string, unknown>> {
  const terms = { side: 'buy', order_type: 'limit', price: '0.01', size: '2' };
  return { market_id: marketId, outcome_id: 'yes', ...terms };
}

function pathOf(operation: AnyOperation, { params = {}, query = '', isEscaped }: Call): string {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name) => {
    const value = params[name] ?? '';
    return isEscaped === true ? value : encodeURIComponent(value);
  });
  const search = typeof query === 'string' ? query : new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}
