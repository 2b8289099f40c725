// The order-entry workload: who orders what, at which price, as the bytes of an HTTP request.
import { createHmac, hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mulberry32 } from '../workload/mulberry32.ts';

/** Who may trade where; made once and read by every load. */
export interface Roster {
  /** A key of each account. */
  readonly tokens: readonly string[];
  /** An access token of an app, for each account; the same for whoever can sign. */
  readonly appTokens: readonly string[];
  readonly signers: readonly Signer[];
  readonly markets: readonly string[];
}

export interface Signer {
  readonly keyId: string;
  readonly secret: string;
}

export const ACCOUNTS = 1000;
export const MARKETS = 1000;
export const BATCH_ITEMS = 20;

export type Shape = 'single' | 'batch';

/** What a request shows: a key, the token of an app, or a signature. */
export type Shown = 'key' | 'token' | 'signature';

const PRICE_MID = 5000;
const SHARES_MAX = 100;
/** A buy lies from 100 pips under the middle to 40 over it; the complement of a sell does just the same. */
const REACH = 141;
const BELOW = 100;

const PATHS: Readonly<Record<Shape, string>> = { single: '/v1/orders', batch: '/v1/orders/batch' };

export class OrderRequests {
  readonly #roster: Roster;
  readonly #random: () => number;
  readonly #head: string;
  readonly #shape: Shape;
  readonly #shown: Shown;
  readonly #run: string;
  #count = 0;

  /** `run` sets the names of its orders apart from those of every other run. */
  constructor(roster: Roster, shape: Shape, run: number, shown: Shown = 'key') {
    this.#roster = roster;
    this.#shape = shape;
    this.#shown = shown;
    this.#random = mulberry32(run);
    this.#run = run.toString(36);
    this.#head = `POST ${PATHS[shape]} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
  }

  next(): string {
    const account = this.#random() % this.#roster.tokens.length;
    const isSingle = this.#shape === 'single';
    const body = isSingle ? this.#order() : this.#batch();
    // An order bears its own name against being placed twice; a batch needs one for the whole.
    const key = isSingle ? '' : `\r\nIdempotency-Key: ${this.#run}-${this.#count}`;
    const shown = this.#credential(account, body);
    return `${this.#head}${shown}${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  }

  #credential(account: number, body: string): string {
    const { tokens, appTokens, signers } = this.#roster;
    if (this.#shown === 'key') return `Authorization: Bearer ${tokens[account]}`;
    if (this.#shown === 'token') return `Authorization: Bearer ${appTokens[account]}`;
    const { keyId, secret } = signers[account]!;
    const timestamp = Math.floor(Date.now() / 1000);
    const nonce = `${this.#run}-${this.#count}`;
    const lines = ['POST', PATHS[this.#shape], timestamp, nonce, hash('sha256', body, 'hex')];
    const signature = createHmac('sha256', secret).update(lines.join('\n')).digest('hex');
    return `SVC-ADDRESS: ${keyId}\r\nSVC-TIMESTAMP: ${timestamp}\r\nSVC-NONCE: ${nonce}\r\nSVC-SIGNATURE: ${signature}`;
  }

  #batch(): string {
    const items = Array.from(
      { length: BATCH_ITEMS },
      () => `{"action":"place","order":${this.#order()}}`,
    );
    return `{"items":[${items.join(',')}]}`;
  }

  /** A sell at P is entered as a buy of NO at its complement, so that nobody needs shares to begin with. */
  #order(): string {
    const random = this.#random;
    const { markets } = this.#roster;
    const market = markets[random() % markets.length]!;
    const isBuy = random() % 2 === 0;
    const distance = (random() % REACH) - BELOW;
    const price = PRICE_MID + distance;
    const shares = 1 + (random() % SHARES_MAX);
    this.#count += 1;
    return `{"market_id":"${market}","outcome_id":"${isBuy ? 'yes' : 'no'}","side":"buy","order_type":"limit","price":"0.${price}","size":"${shares}","client_order_id":"${this.#run}-${this.#count}"}`;
  }
}

export function writeRoster(file: string, roster: Roster): void {
  writeFileSync(file, JSON.stringify(roster));
}

export function readRoster(file: string): Roster {
  const { tokens, appTokens, signers, markets }: Roster = JSON.parse(readFileSync(file, 'utf8'));
  return { tokens, appTokens, signers, markets };
}
