// One scenario on the real server in which the example of every operation comes true, one after the other.
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type OperationId,
  operations,
  operatorOperations,
  type StreamMessageType,
} from '@sibyl/contract';
import { codeAt } from '../gateway/authenticator-app.ts';
import { exampleRequest } from '../gateway/example.ts';
import { SoftPasskey } from '../gateway/soft-passkey.ts';
import { linkIn, type Mailbox } from '../mailbox.ts';
import { ExampleListener } from './example-listener.ts';
import { Client } from './http.ts';
import { dataOf } from './judge.ts';
import { OPERATOR_TOKEN } from './settings.ts';

interface Ports {
  readonly port: number;
  readonly adminPort: number;
}

/** What the examples call their market, order and so on, and what these are called here. */
type Names = Map<string, string>;

type Base = '' | '/sandbox';

export interface Told {
  readonly id: OperationId;
  readonly data: unknown;
}

const PASSWORD = operations.register.example.body.password;
const DAY_MS = 86_400_000;
/** As the examples spell the answer of a browser. */
const ANSWER = JSON.stringify(operations.logInWithPasskey.example.body.response);

/** Messages that the story brings about in exactly the way of their examples. */
export const heard: readonly StreamMessageType[] = [
  'welcome',
  'authenticated',
  'market_created',
  'ticker',
  'trade_print',
  'open_interest',
  'orderbook',
  'orderbook_delta',
  'order_accepted',
  'order_updated',
  'order_cancelled',
  'trade_executed',
  'balance_updated',
  'position_updated',
  'position_settled',
  'market_resolved',
];

/** Sends the contract's own example requests, in an order in which each gets the answer of its example. */
export class ExampleStory {
  readonly told: Told[] = [];
  readonly listener: ExampleListener;
  readonly #client = new Client();
  readonly #port: number;
  readonly #adminPort: number;
  readonly #receiver: HttpServer;
  readonly #mailbox: Mailbox;
  readonly #names: Names = new Map();
  #count = 0;

  private constructor(
    { port, adminPort }: Ports,
    receiver: HttpServer,
    mailbox: Mailbox,
    listener: ExampleListener,
  ) {
    this.#port = port;
    this.#adminPort = adminPort;
    this.#mailbox = mailbox;
    this.listener = listener;
    this.#receiver = receiver;
    const hook = operations.createWebhook.example.body.url;
    this.#names.set(hook, `http://127.0.0.1:${portOf(receiver)}/hooks/sibyl`);
    const { closes_at_ms: closing } = operations.createMarket.example.body.params;
    this.#names.set(String(closing), String(Date.now() + 40 * DAY_MS));
  }

  /** A receiver of webhooks that refuses everything, as the one of the example does. */
  static async receiver(): Promise<HttpServer> {
    const receiver = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(500).end('Internal Server Error'));
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  static async play(ports: Ports, receiver: HttpServer, mailbox: Mailbox): Promise<ExampleStory> {
    const listener = await ExampleListener.connect(ports.port);
    const story = new ExampleStory(ports, receiver, mailbox, listener);
    await story.#comeIn();
    await story.#build();
    await story.#trade();
    await story.#hear();
    await story.#leave();
    return story;
  }

  close(): void {
    this.listener.close();
    this.#client.close();
    this.#receiver.close();
  }

  /** Ada registers, gets a key and money; so does Bob, who is not in the examples. */
  async #comeIn(): Promise<void> {
    await this.#tell('getHealth', null);
    await this.#tell('getStatus', null);
    await this.#tell('getLqfConfig', null);
    await this.#tell('mintSandboxKey', null);
    const { session_token: session } = await this.#tell('register', null);
    await this.#tell('exportData', String(session));
    const { session_token: second } = await this.#tell('logIn', null);
    await this.#tell('openDemo', null);
    await this.#tell('resumeSession', null, {
      'sec-fetch-site': 'same-origin',
      cookie: `sibyl_session=${second}`,
    });
    await this.#tell('logOut', String(second));
    await this.#tell('stepUp', String(session));
    await this.#tell('listFactors', String(session));
    await this.#withdraw(String(session));
    await this.#enrol(String(session));
    await this.#takeBack(String(session));
    const { session_token: third } = await this.#call('logIn', null, {});
    await this.#beSomebody(String(session), String(third));
    await this.#tell('changePassword', String(session));
    const { key_id: key } = await this.#tell('mintKey', String(session));
    this.#names.set('Ada', String(key));
    this.#names.set('Ada at the page', String(session));
    this.#names.set('Bob', await this.#friend());
    await this.#tell('useFaucet', this.#key('Ada'));
    await this.#tell('listTemplates', null);
    await this.listener.command({ op: 'AUTH', token: this.#key('Ada') }, 'authenticated');
    await this.#listen('account', 'trade_executed', 'markets_snapshot');
  }

  /** Ada has money in live, and lets some of it go out. */
  async #withdraw(session: string): Promise<void> {
    const added = await this.#tell('addDestination', session);
    this.#name(operations.removeDestination.example.params.destination_id, added, 'destination_id');
    await this.#tell('listDestinations', session);
    const { account_id: accountId } = await this.#call('getAccount', session, {}, '');
    await this.#credit(String(accountId));
    await this.#tell('listDeposits', session, {}, '');
    await this.#tell('createWithdrawal', session, {}, '');
  }

  /** After a change of factors the next one is held: there is time to think again. */
  async #takeBack(session: string): Promise<void> {
    const held = await this.#call('createWithdrawal', session, {}, '');
    this.#name(operations.getWithdrawal.example.params.withdrawal_id, held, 'withdrawal_id');
    await this.#tell('listWithdrawals', session, {}, '');
    await this.#tell('getWithdrawal', session, {}, '');
    await this.#tell('cancelWithdrawal', session, {}, '');
    await this.#tell('removeDestination', session);
  }

  async #credit(accountId: string): Promise<void> {
    const given = { asset: 'USDT', amount: '1000', external_ref: 'wire-0001' };
    await this.#actOn('creditDeposit', accountId, { lane: 'live', ...given });
  }

  /** The operator's part of the story. */
  async #actOn(id: keyof typeof operatorOperations, on: string, given: object): Promise<void> {
    const { path } = operatorOperations[id];
    const answer = await this.#client.send({
      port: this.#adminPort,
      method: 'POST',
      path: path.replace(/\{\w+\}/, on),
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        'content-type': 'application/json',
        'idempotency-key': `example-${id}-0001`,
      },
      body: JSON.stringify({ reason: 'a story', ...given }),
    });
    dataOf(answer);
  }

  async #enrol(session: string): Promise<void> {
    const { secret } = await this.#tell('enrolTotp', session);
    const { otp } = operations.confirmTotp.example.body;
    this.#names.set(otp, codeAt(String(secret), Date.now()));
    await this.#tell('confirmTotp', session);
    this.#names.delete(otp);
    await this.#tell('renewRecoveryCodes', session);
    await this.#tell('removeTotp', session);
    const passkey = new SoftPasskey();
    const made = await this.#tell('beginPasskey', session);
    this.#answered(passkey.create(made.options as object as Record<string, unknown>));
    const { passkey: added } = await this.#tell('addPasskey', session);
    const asked = await this.#tell('askPasskey', null);
    this.#answered(passkey.prove(asked.options as object as Record<string, unknown>));
    await this.#tell('logInWithPasskey', null);
    this.#names.delete(ANSWER);
    this.#name(operations.renamePasskey.example.params.passkey_id, added, 'passkey_id');
    await this.#tell('renamePasskey', session);
    await this.#tell('removePasskey', session);
  }

  /** What stands in the examples for what a browser answers. */
  #answered(response: object): void {
    this.#names.set(ANSWER, JSON.stringify(response));
  }

  async #beSomebody(session: string, spare: string): Promise<void> {
    await this.#tell('getProfile', session);
    await this.#tell('updateProfile', session);
    this.#names.set(operations.endSession.example.params.session_id, spare.slice(0, 20));
    await this.#tell('endSession', session);
    await this.#call('endOtherSessions', session, {});
    await this.#tell('endOtherSessions', session);
    await this.#tell('listSessions', session);
  }

  /** Ada makes a market; Bob buys 100 shares, Ada ten. */
  async #trade(): Promise<void> {
    const ada = this.#key('Ada');
    const { market } = await this.#tell('createMarket', ada);
    this.#name(operations.getMarket.example.params.market_id, market, 'market_id');
    await this.#listen('ticker:m_0123456789abcdef:yes');
    // Before any trade, so that the price does not depend on the time that passes.
    await this.#tell('getCancellationPrice', null);
    await this.#place('Bob', { order_type: 'market', size: '100' });
    await this.#tell('placeOrder', ada);
    await this.#listen('orderbook:m_0123456789abcdef:yes');
    for (const id of [
      'listMarkets',
      'getMarket',
      'listCandles',
      'getOrderBook',
      'listTrades',
    ] as const) {
      await this.#tell(id, null);
    }
    for (const id of ['getAccount', 'getBalance', 'getPortfolioSummary'] as const) {
      await this.#tell(id, ada);
    }
    for (const id of ['getAttribution', 'getRevenue'] as const) await this.#tell(id, ada);
    for (const id of ['listRequests', 'getRequestSummary', 'getRequest'] as const) {
      await this.#tell(id, ada);
    }
    for (const id of ['listPositions', 'listOrders'] as const) await this.#tell(id, ada);
    for (const id of ['listFills', 'getOrder', 'listLedger', 'listKeys', 'heartbeat'] as const) {
      await this.#tell(id, ada);
    }
    const resting = { order_type: 'limit', price: '0.45', size: '10' };
    const open = await this.#place('Ada', { ...resting, client_order_id: 'my-second-order' });
    this.#name(operations.amendOrder.example.params.order_id, open, 'order_id');
    await this.#tell('amendOrder', ada);
    await this.#tell('cancelOrder', ada);
    await this.#tell('batchOrders', ada);
    await this.#tell('cancelAllOrders', ada);
    await this.#tell('convertPosition', ada);
    await this.#divide();
  }

  /** Ada applies, and registers an app. */
  async #build(): Promise<void> {
    const session = this.#key('Ada at the page');
    await this.#tell('applyForTrack', session);
    await this.#tell('getBuilder', session);
    const made = await this.#tell('createApp', session);
    this.#name(operations.updateApp.example.params.app_id, made, 'app_id');
    await this.#tell('listApps', session);
    await this.#tell('updateApp', session);
    await this.#tell('rotateAppSecret', session);
    const { client_secret: secret = '' } = operations.exchangeToken.example.body;
    this.#names.set(secret, String(made.client_secret));
    await this.#connect(session);
  }

  /** Ada tries her own app, gives its token back, and another one takes she back herself. */
  async #connect(session: string): Promise<void> {
    const given = await this.#tell('createGrant', session);
    this.#name(operations.exchangeToken.example.body.code ?? '', given, 'code');
    const tokens = await this.#tell('exchangeToken', null);
    await this.#tell('listGrants', session);
    this.#name(operations.revokeToken.example.body.token, tokens, 'refresh_token');
    await this.#tell('revokeToken', null);
    const second = await this.#call('createGrant', session, {});
    this.#name(operations.revokeGrant.example.params.grant_id, second, 'grant_id');
    await this.#tell('revokeGrant', session);
  }

  /** Ada opens a subaccount, gives it money and calls it by another name. */
  async #divide(): Promise<void> {
    const ada = this.#key('Ada');
    const opened = await this.#tell('createSubaccount', ada);
    this.#name(operations.changeSubaccount.example.params.subaccount_id, opened, 'subaccount_id');
    await this.#tell('listSubaccounts', ada);
    await this.#tell('changeSubaccount', ada);
    const { account_id: accountId } = await this.#call('getAccount', ada, {});
    this.#names.set(operations.transferFunds.example.body.from, String(accountId));
    await this.#tell('transferFunds', ada);
  }

  /** The webhook of the examples, and once more for what changes it for good. */
  async #hear(): Promise<void> {
    const ada = this.#key('Ada');
    const { webhook_id: known } = operations.updateWebhook.example.params;
    this.#name(known, await this.#tell('createWebhook', ada), 'webhook_id');
    await this.#tell('listWebhooks', ada);
    await this.#tell('updateWebhook', ada);
    await this.#call('updateWebhook', ada, { body: { status: 'active' } });
    await this.#tell('deleteWebhook', ada);
    this.#name(known, await this.#call('createWebhook', ada, {}), 'webhook_id');
    await this.#tell('rotateWebhookSecret', ada);
    await this.#tell('replayWebhook', ada);
    await this.#delivered(ada);
    await this.#tell('listWebhookDeliveries', ada);
  }

  async #leave(): Promise<void> {
    const ada = this.#key('Ada');
    await this.#place('Bob', { order_type: 'limit', price: '0.3', size: '10' });
    await this.#tell('resetSandbox', this.#key('Bob'));
    await this.#tell('settleWithMockOracle', ada);
    await this.listener.heard('position_settled');
    const { key_id: key } = await this.#call('mintKey', ada, {});
    this.#names.set(operations.revokeKey.example.params.key_id, String(key));
    await this.#actOn('setKeySigning', String(key).slice(0, 24), { enabled: true });
    await this.#tell('drawSigningSecret', this.#key('Ada at the page'));
    await this.#tell('revokeKey', ada);
    for (const id of ['setOwnLimits', 'getOwnLimits', 'excludeSelf'] as const) {
      await this.#tell(id, this.#key('Ada at the page'));
    }
    await this.#recover(this.#key('Ada at the page'));
  }

  /** Ada verifies her address, and forgets her password. */
  async #recover(session: string): Promise<void> {
    const { email } = operations.register.example.body;
    const { token } = operations.confirmEmail.example.body;
    const linked = async (place: number): Promise<string> =>
      linkIn(await this.#mailbox.letter(email, place)).token;
    await this.#tell('sendVerification', session);
    this.#names.set(token, await linked(1));
    await this.#tell('confirmEmail', null);
    await this.#tell('requestPasswordReset', null);
    this.#names.set(token, await linked(2));
    await this.#tell('resetPassword', null);
    const body = { email: 'bob@example.com', password: PASSWORD };
    const { session_token: bob } = await this.#call('logIn', null, { body });
    await this.#tell('closeAccount', String(bob));
  }

  /** Waits for the first attempt of the delivery. */
  async #delivered(token: string): Promise<void> {
    for (;;) {
      const text = JSON.stringify(await this.#answer('listWebhookDeliveries', token, {}));
      if (text.includes('"http_status":500')) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #friend(): Promise<string> {
    const body = { email: 'bob@example.com', password: PASSWORD };
    const { session_token: session } = await this.#call('register', null, { body });
    const { key_id: key } = await this.#call('mintKey', String(session), {});
    await this.#call('useFaucet', String(key), {});
    return String(key);
  }

  #listen(...streams: readonly string[]): Promise<void> {
    const params = streams.map((name) => this.#translated(name));
    return this.listener.command({ op: 'SUBSCRIBE', params }, 'subscribed');
  }

  #place(who: string, terms: object): Promise<Record<string, unknown>> {
    const { market_id, outcome_id, side } = operations.placeOrder.example.body;
    const body = { market_id, outcome_id, side, ...terms };
    return this.#call('placeOrder', this.#key(who), { body });
  }

  #key(who: string): string {
    return this.#names.get(who) ?? '';
  }

  #name(example: string, record: unknown, field: string): void {
    if (typeof record !== 'object' || record === null) throw new Error(`no ${field}`);
    this.#names.set(example, String(Object.entries(record).find(([name]) => name === field)?.[1]));
  }

  /** The example of the operation, with its answer kept. */
  async #tell(
    id: OperationId,
    token: string | null,
    headers: Readonly<Record<string, string>> = {},
    base: Base = '/sandbox',
  ): Promise<Record<string, unknown>> {
    const answer = await this.#answer(id, token, { headers }, base);
    this.told.push({ id, data: answer });
    return Object.fromEntries(Object.entries(answer ?? {}));
  }

  async #call(
    id: OperationId,
    token: string | null,
    change: { readonly body?: object },
    base: Base = '/sandbox',
  ): Promise<Record<string, unknown>> {
    const answer = await this.#answer(id, token, change, base);
    return Object.fromEntries(Object.entries(answer ?? {}));
  }

  async #answer(
    id: OperationId,
    token: string | null,
    change: { readonly body?: object; readonly headers?: Readonly<Record<string, string>> },
    base: Base = '/sandbox',
  ): Promise<object | null> {
    const { method, url, payload } = exampleRequest(operations[id]);
    const given = change.body ?? payload;
    this.#count += 1;
    const answer = await this.#client.send({
      port: this.#port,
      method,
      path: `${base}${this.#translated(url)}`,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(given === undefined ? {} : { 'content-type': 'application/json' }),
        'idempotency-key': `example-${this.#count}`,
        ...change.headers,
      },
      body: given === undefined ? null : this.#translated(JSON.stringify(given)),
    });
    dataOf(answer);
    const { request_id: logged } = operations.getRequest.example.params;
    if (id === 'getBalance') this.#names.set(logged, String(answer.headers['x-request-id']));
    const { body } = answer;
    if (typeof body !== 'object' || body === null || !('data' in body)) return null;
    return typeof body.data === 'object' ? body.data : null;
  }

  /** The request with the names that its records have here. */
  #translated(text: string): string {
    let translated = text;
    for (const [example, real] of this.#names) translated = translated.replaceAll(example, real);
    return translated;
  }
}

export function portOf(server: HttpServer): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}
