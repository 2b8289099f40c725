// What the console shows: how far the start is, where everything is, and a first order to copy and paste.

import type { OrderWay } from './http/order-path.ts';
import type { MadeOperator } from './operator/new-operator.ts';
import type { Config } from './settings/config.ts';

export interface Addresses {
  readonly port: number;
  readonly adminPort: number;
  /** Present once: at the start that made it. */
  readonly newOperator: MadeOperator | null;
  /** Whether there are pages for people. */
  readonly hasPages: boolean;
  /** How plain orders are answered. */
  readonly orderWay: OrderWay;
}

export function banner(config: Config, addresses: Addresses, version: string): string {
  const host = isLoopback(config.host) ? 'localhost' : config.host;
  const base = `http://${host}:${addresses.port}`;
  const hasSandbox = config.lanes.includes('sandbox');
  const sandbox = config.lanes.length > 1 ? `${base}/sandbox` : base;
  const operator = addresses.newOperator;
  const { reason } = addresses.orderWay;
  return [
    `Sibyl ${version}`,
    '',
    ...(addresses.hasPages
      ? [`  Pages       ${base}`]
      : ['  Pages       not built: npm start builds them']),
    `  Interface   ${base}`,
    ...(config.lanes.length > 1 ? [`  Sandbox     ${sandbox}`] : []),
    `  Reference   ${base}/docs`,
    `  Operator    http://127.0.0.1:${addresses.adminPort}`,
    ...(operator === null
      ? []
      : [
          `              sign in as ${operator.name} with the password ${operator.password}`,
          '              shown once: there in a browser, or by sibyl admin login; then set a password of your own',
        ]),
    ...(reason === null ? [] : [`  Orders      by Node's HTTP, at twice the cost (${reason})`]),
    `  Data        ${config.dataDir}`,
    '',
    ...(hasSandbox ? ['A first order, with test money:', '', ...firstOrder(sandbox), ''] : []),
    'Ctrl-C stops.',
    '',
  ].join('\n');
}

/** Five lines for any shell with curl. */
function firstOrder(sandboxUrl: string): readonly string[] {
  return [
    `  S=${sandboxUrl}`,
    `  export KEY=$(curl -sf -X POST $S/v1/sandbox-keys | sed 's/.*"key_id":"\\([^"]*\\)".*/\\1/'); : "\${KEY:?no key: one per address and day, set KEY to the one of before or register}"`,
    '  curl -s -X POST $S/v1/sandbox/faucet -H "Authorization: Bearer $KEY"',
    `  MARKET=$(curl -s "$S/v1/markets?status=active&category=technology&limit=1" | sed 's/.*"market_id":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s $S/v1/orders -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"market_id":"'$MARKET'","outcome_id":"yes","side":"buy","order_type":"market","size":"5"}'`,
  ];
}

/** One line that moves on a terminal, and a few plain lines elsewhere. */
export class StartProgress {
  readonly #output: NodeJS.WriteStream;
  #shown = '';

  constructor(output: NodeJS.WriteStream) {
    this.#output = output;
  }

  show(what: string, done: number): void {
    const percent = Math.floor(done * 100);
    const step = this.#output.isTTY ? percent : percent - (percent % 50);
    const line = `${what} ${step} %`;
    if (line === this.#shown) return;
    this.#shown = line;
    this.#output.write(this.#output.isTTY ? `\r${line}\u001b[K` : `${line}\n`);
  }

  end(): void {
    if (this.#output.isTTY && this.#shown !== '') this.#output.write('\r\u001b[K');
    this.#shown = '';
  }
}

function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === '::1' || host === 'localhost';
}
