// A custody that is a service of its own: asked by signed requests, and believed only when it answers clearly.
import { createHmac } from 'node:crypto';
import { formatMoney, usdt } from '@sibyl/money';
import { Agent, request } from 'undici';
import { type Custody, CustodySilent, type Payout, type PayoutState } from '../../ports/custody.ts';

export interface HttpCustodyOptions {
  readonly url: string;
  readonly secret: string;
  readonly name: string;
  readonly wallMs: () => number;
  /** For all of it: the connection, the answer and its body. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 16_384;

export class HttpCustody implements Custody {
  readonly name: string;
  readonly #options: HttpCustodyOptions;
  /** Follows no redirect: only the service that was named is told of payouts. */
  readonly #agent = new Agent({ maxResponseSize: ANSWER_BYTES_MAX });

  constructor(options: HttpCustodyOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async pay({ payoutId, amount, destination }: Payout): Promise<PayoutState> {
    const { url, secret, wallMs, timeoutMs = TIMEOUT_MS } = this.#options;
    const body = JSON.stringify({
      payout_id: payoutId,
      asset: 'USDT',
      amount: formatMoney(usdt(amount), 'USDT'),
      destination,
    });
    const timestamp = String(wallMs());
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    try {
      const answer = await request(`${url}/payouts`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': payoutId,
          'x-sibyl-timestamp': timestamp,
          'x-sibyl-signature': signature,
        },
        body,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new CustodySilent(`status ${answer.statusCode}`);
      return stateOf(text, payoutId);
    } catch (error) {
      if (error instanceof CustodySilent) throw error;
      throw new CustodySilent('no whole answer', { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Anything but a clear word about this very payout leaves its fate unknown. */
function stateOf(text: string, payoutId: string): PayoutState {
  let told: unknown;
  try {
    told = JSON.parse(text);
  } catch {
    throw new CustodySilent('an answer that is no JSON');
  }
  const { payout_id, state, reference, reason } = (told ?? {}) as Readonly<Record<string, unknown>>;
  if (payout_id !== payoutId) throw new CustodySilent('an answer about another payout');
  if (state === 'pending') return { state };
  if (state === 'paid' && isText(reference, 128)) return { state, reference };
  if (state === 'failed' && isText(reason, 256)) return { state, reason };
  throw new CustodySilent('an answer without a clear state');
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= max;
}
