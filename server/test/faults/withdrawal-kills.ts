// kill -9 of the real server in each phase of a withdrawal, against a custody that hangs, fails, answers twice or late, and
// while that custody reports a deposit.
import { setTimeout as sleep } from 'node:timers/promises';
import { CUSTODY_SECRET, signedReport } from '../custody/signed-report.ts';
import { type Started, startServer, temporaryFolder } from '../server-process.ts';
import { type Mood, MoodyCustody } from './moody-custody.ts';

/** When the server is killed: `never` lets it live through what the custody does. */
export type Moment = 'asking' | 'asked' | 'heard' | 'answered' | 'never';

export interface Case {
  readonly mood: Mood;
  readonly moment: Moment;
}

export interface WithdrawalEnd {
  readonly state: string;
  /** How often the custody has paid it. */
  readonly payments: number;
}

const OPERATOR_TOKEN = 'op_withdrawal_kills_token_0001';
const PASSWORD = 'plum otter ladder 47 quay';
const FUNDS = 1_000;
const AMOUNT = 3;
const ENDED_WITHIN_MS = 60_000;

interface Body {
  // biome-ignore lint/suspicious/noExplicitAny: read freely, each field where it is asserted.
  readonly data: any;
  readonly error?: { readonly code: string };
}

export class WithdrawalKills {
  readonly custody: MoodyCustody;
  readonly #data = temporaryFolder();
  #server: Started | null = null;
  #token = '';
  #accountId = '';
  #destinationId = '';
  #count = 0;
  #funds = FUNDS;
  kills = 0;

  private constructor(custody: MoodyCustody) {
    this.custody = custody;
  }

  static async open(): Promise<WithdrawalKills> {
    const run = new WithdrawalKills(await MoodyCustody.open());
    await run.#start();
    await run.#comeIn();
    return run;
  }

  /** One withdrawal to its end, with a kill on the way, and the ledger looked at after it. */
  async play({ mood, moment }: Case): Promise<WithdrawalEnd> {
    this.custody.mood = mood;
    const key = this.#fresh('withdrawal');
    const reached =
      moment === 'heard' || moment === 'answered' ? this.custody.next(moment) : Promise.resolve();
    await this.#prove();
    const asked = this.#withdraw(key);
    if (moment === 'asking') await Promise.race([sleep(1), asked.catch(() => null)]);
    else await asked;
    await reached;
    if (moment !== 'never') await this.#kill();
    await asked.catch(() => null);
    // Whoever got no answer asks again under the same key, and gets the same withdrawal.
    await this.#prove();
    const { data } = await this.#withdraw(key);
    const state = await this.#end(data.withdrawal_id);
    const payouts = [...this.custody.payments].filter(([id]) =>
      id.startsWith(`${data.withdrawal_id}-`),
    );
    return { state, payments: payouts.reduce((sum, [, times]) => sum + times, 0) };
  }

  /** The report of a deposit, cut off by a kill so long after it was sent, and told again until it is answered. */
  async receive(killAfterMs: number): Promise<{ readonly state: string }> {
    const reference = this.#fresh('deposit');
    const told = this.#report(reference).catch(() => null);
    await sleep(killAfterMs);
    await this.#kill();
    await told;
    this.custody.received += BigInt(AMOUNT) * 1_000_000n;
    this.#funds += AMOUNT;
    await this.#report(reference);
    const { data } = await this.#report(reference);
    return { state: data.state };
  }

  /** Somebody leaves while money comes for them, and the server is killed: both are tried again until they are decided. */
  async leave(killAfterMs: number): Promise<{ readonly money: string; readonly closing: string }> {
    const email = `${this.#fresh('leaver')}@example.com`;
    const { data } = await this.#call('POST', '/api/auth/register', { email, password: PASSWORD });
    const { session_token: token, account_id: accountId } = data;
    const reference = this.#fresh('deposit');
    const report = (): Promise<string> => codeOf(this.#report(reference, accountId));
    const close = (): Promise<string> => {
      const url = `${this.#server?.baseUrl}/api/auth/close`;
      return codeOf(send(url, 'POST', token, { password: PASSWORD }));
    };
    const cutOff = [report(), close()];
    await sleep(killAfterMs);
    await this.#kill();
    await Promise.all(cutOff);
    const money = await report();
    const closing = await close();
    if (money === 'ok') this.custody.received += BigInt(AMOUNT) * 1_000_000n;
    return { money, closing };
  }

  /** Free, reserved and paid out are what came in; the operator's report agrees, and so does the custody. */
  async settled(): Promise<unknown> {
    const { data } = await this.#call('GET', '/v1/balance');
    const [{ free, reserved }] = data.balances;
    const paid =
      [...this.custody.payments.values()].reduce((sum, times) => sum + times, 0) * AMOUNT;
    if (Number(free) + paid !== this.#funds || Number(reserved) !== 0) {
      throw new Error(`${free} free, ${reserved} reserved, ${paid} paid of ${this.#funds}`);
    }
    return this.#reconciled();
  }

  async close(): Promise<void> {
    await this.#server?.stop('SIGKILL');
    await this.custody.close();
    this.#data.remove();
  }

  async #start(): Promise<void> {
    this.#server = await startServer({
      dataDir: this.#data.folder,
      environment: {
        LANES: 'live',
        RATE_MULTIPLIER: '0',
        OPERATOR_TOKEN,
        DESTINATION_DELAY_HOURS: '0',
        CUSTODY_URL: this.custody.url,
        CUSTODY_NAME: 'bank',
        CUSTODY_SECRET,
      },
    });
  }

  async #comeIn(): Promise<void> {
    const body = { email: 'ada@example.com', password: PASSWORD };
    const { data } = await this.#call('POST', '/api/auth/register', body);
    this.#token = data.session_token;
    this.#accountId = data.account_id;
    await this.#admin('POST', `/admin/v1/accounts/${this.#accountId}/deposits`, {
      ...{ lane: 'live', reason: 'a test', asset: 'USDT' },
      ...{ amount: String(FUNDS), external_ref: 'wire-1', beside_custody: true },
    });
    this.custody.received = BigInt(FUNDS) * 1_000_000n;
    const target = { label: 'bank', destination: 'DE89 3704' };
    const added = await this.#call('POST', '/api/auth/destinations', target);
    this.#destinationId = added.data.destination_id;
  }

  /** It counts for minutes only, and starts take their time. */
  async #prove(): Promise<void> {
    await this.#call('POST', '/api/auth/step-up', { password: PASSWORD });
  }

  #withdraw(key: string): Promise<Body> {
    const body = { destination_id: this.#destinationId, amount: String(AMOUNT) };
    return this.#call('POST', '/v1/account/withdrawals', body, key);
  }

  #report(reference: string, accountId = this.#accountId): Promise<Body> {
    const money = { asset: 'USDT', amount: String(AMOUNT), reference, state: 'confirmed' };
    const body = { account_id: accountId, ...money };
    const { headers } = signedReport(body);
    const url = `${this.#server?.adminUrl}/custody/v1/deposits`;
    return send(url, 'POST', '', body, undefined, headers);
  }

  async #kill(): Promise<void> {
    this.kills += 1;
    await this.#server?.stop('SIGKILL');
    await this.#start();
  }

  async #end(withdrawalId: string): Promise<string> {
    const untilMs = performance.now() + ENDED_WITHIN_MS;
    for (;;) {
      const { data } = await this.#call('GET', `/api/auth/withdrawals/${withdrawalId}`);
      if (data.state === 'completed' || data.state === 'failed') return data.state;
      if (performance.now() > untilMs) throw new Error(`${withdrawalId} stays ${data.state}`);
      await sleep(100);
    }
  }

  async #reconciled(): Promise<unknown> {
    const path = '/admin/v1/reconciliation';
    await this.#admin('POST', path, { lane: 'live', reason: 'a test' });
    for (;;) {
      const { data } = await this.#admin('GET', `${path}?lane=live`);
      if (data.run.state !== 'running') return data.report;
      await sleep(50);
    }
  }

  #call(method: string, path: string, body?: object, key?: string): Promise<Body> {
    return send(`${this.#server?.baseUrl}${path}`, method, this.#token, body, key);
  }

  #admin(method: string, path: string, body?: object): Promise<Body> {
    const key = method === 'POST' ? this.#fresh('act') : undefined;
    return send(`${this.#server?.adminUrl}${path}`, method, OPERATOR_TOKEN, body, key);
  }

  #fresh(prefix: string): string {
    this.#count += 1;
    return `${prefix}-${String(this.#count).padStart(8, '0')}`;
  }
}

/** How it was refused, or that it was not answered. */
async function codeOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked;
    return 'ok';
  } catch (error) {
    return /"code":"([A-Z_]+)"/.exec(String(error))?.[1] ?? 'cut off';
  }
}

async function send(
  url: string,
  method: string,
  token: string,
  body?: object,
  key?: string,
  signature: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const answer = await fetch(url, {
    method,
    headers: {
      ...signature,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const told = (await answer.json()) as Body;
  if (told.error !== undefined && told.error !== null) throw new Error(JSON.stringify(told.error));
  return told;
}
