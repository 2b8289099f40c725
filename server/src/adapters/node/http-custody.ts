// A custody that is a service of its own: asked by signed requests, and believed only when it answers clearly.
import { formatMoney, parseMoney, usdt } from '@sibyl/money';
import { Agent, request } from 'undici';
import {
  type Custody,
  type CustodyBooks,
  CustodySilent,
  type Payout,
  type PayoutState,
} from '../../ports/custody.ts';
import { SignedCalls, signatureOf } from './custody-calls.ts';

export interface HttpCustodyOptions {
  readonly url: string;
  readonly secret: string;
  readonly name: string;
  readonly wallMs: () => number;
  /** For all of it: the connection, the answer and its body. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1_048_576;

type Told = Readonly<Record<string, unknown>>;

export class HttpCustody implements Custody {
  readonly name: string;
  readonly url: string;
  readonly calls: SignedCalls;
  readonly #options: HttpCustodyOptions;
  /** Follows no redirect: only the service that was named is told of payouts. */
  readonly #agent = new Agent({ maxResponseSize: ANSWER_BYTES_MAX });

  constructor(options: HttpCustodyOptions) {
    this.name = options.name;
    this.url = options.url;
    this.calls = new SignedCalls(options);
    this.#options = options;
  }

  async pay({ payoutId, amount, destination }: Payout): Promise<PayoutState> {
    const asked = { payout_id: payoutId, ...moneyOf(amount), destination };
    const told = await this.#ask('/payouts', asked, { 'idempotency-key': payoutId });
    return stateOf(told, payoutId);
  }

  async check(destination: string, amount: bigint): Promise<string | null> {
    const { accepted, reason } = await this.#ask('/checks', { ...moneyOf(amount), destination });
    if (accepted === true) return null;
    if (accepted === false && isText(reason, 256)) return reason;
    throw new CustodySilent('an answer without a clear verdict');
  }

  async books(payoutIds: readonly string[]): Promise<CustodyBooks> {
    const told = await this.#ask('/books', { payout_ids: payoutIds });
    const { balance: text, paid } = told;
    const balance = typeof text === 'string' ? parseMoney(text, 'USDT') : null;
    if (balance?.ok !== true || !Array.isArray(paid)) {
      throw new CustodySilent('an answer without balance and payouts');
    }
    return { balance: balance.value, paid: payoutIds.filter((id) => paid.includes(id)) };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #ask(path: string, asked: object, headers: Readonly<Record<string, string>> = {}) {
    const { url, secret, wallMs, timeoutMs = TIMEOUT_MS } = this.#options;
    const body = JSON.stringify(asked);
    const timestamp = String(wallMs());
    const signature = signatureOf(secret, timestamp, body).toString('hex');
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await request(`${url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-sibyl-timestamp': timestamp,
          'x-sibyl-signature': signature,
          ...headers,
        },
        body,
        dispatcher: this.#agent,
        signal,
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new CustodySilent(`status ${answer.statusCode}`);
      return recordIn(text);
    } catch (error) {
      if (error instanceof CustodySilent) throw error;
      throw new CustodySilent('no whole answer', { isLate: signal.aborted, cause: error });
    }
  }
}

function moneyOf(amount: bigint): { readonly asset: 'USDT'; readonly amount: string } {
  return { asset: 'USDT', amount: formatMoney(usdt(amount), 'USDT') };
}

function recordIn(text: string): Told {
  let told: unknown;
  try {
    told = JSON.parse(text);
  } catch {
    throw new CustodySilent('an answer that is no JSON');
  }
  return (typeof told === 'object' && told !== null ? told : {}) as Told;
}

/** Anything but a clear word about this very payout leaves its fate unknown. */
function stateOf({ payout_id, state, reference, reason }: Told, payoutId: string): PayoutState {
  if (payout_id !== payoutId) throw new CustodySilent('an answer about another payout');
  if (state === 'pending') return { state };
  if (state === 'paid' && isText(reference, 128)) return { state, reference };
  if (state === 'failed' && isText(reason, 256)) return { state, reason };
  throw new CustodySilent('an answer without a clear state');
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= max;
}
