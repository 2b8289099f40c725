// A reference exchange with one market and everybody rich, for tests of the reference alone.
import { DEFAULT_PARAMETERS, type Parameters } from '@sibyl/engine';
import { NaiveExchange, type NaiveOutcome } from '../src/naive/exchange.ts';
import type { CommandOf, EventOf, PlainTemplate } from '../src/naive/plain.ts';

const OPERATOR = { kind: 'operator', name: 'test', reason: 'vector' } as const;
const ACCOUNTS = ['acc_creator', 'acc_A', 'acc_B', 'acc_T'];

export type Order = Partial<CommandOf<'place_order'>> & { readonly accountId: string };

/** One market of the given deposit, with everybody rich. */
export class Bench {
  readonly exchange: NaiveExchange;
  readonly marketId: string;
  nowMs = 1_000_000;
  #seq = 0;

  constructor(
    deposit: bigint,
    outcomes: number,
    parameters: Partial<Parameters> = {},
    changes: Partial<PlainTemplate> = {},
  ) {
    const fee = { ...DEFAULT_PARAMETERS.fee, rebatesPaid: false };
    this.exchange = new NaiveExchange('sandbox', { ...DEFAULT_PARAMETERS, fee, ...parameters });
    for (const accountId of ACCOUNTS) {
      this.run({
        type: 'open_account',
        accountId,
        mode: 'sandbox',
        parentId: null,
        referrerId: null,
      });
      this.run({ type: 'deposit', accountId, amount: 10_000_000_000n, reference: accountId });
    }
    this.run({
      type: 'publish_template',
      template: { ...template(deposit, outcomes), ...changes },
    });
    const made = this.run({
      type: 'create_market',
      accountId: 'acc_creator',
      templateId: 't',
      params: {},
      displayTitle: null,
      displayImageUrl: null,
    }).answer;
    if (!made.ok || made.result.kind !== 'market') throw new Error('no market');
    this.marketId = made.result.marketId;
  }

  run(body: { readonly type: string; readonly [field: string]: unknown }): NaiveOutcome {
    this.#seq += 1;
    const command = { seq: this.#seq, atMs: this.nowMs, actor: OPERATOR, ...body };
    const outcome = this.exchange.apply(command as never);
    if (!outcome.answer.ok) throw new Error(outcome.answer.rejection.code);
    return outcome;
  }

  /** The trades of a limit order of the given price, or of a market order without one. */
  order(fields: Order): EventOf<'trade_executed'>[] {
    return this.place(fields).events.filter((event) => event.type === 'trade_executed');
  }

  place(fields: Order): NaiveOutcome {
    const price = fields.price ?? null;
    return this.run({
      type: 'place_order',
      marketId: this.marketId,
      side: 'buy',
      orderType: price === null ? 'market' : 'limit',
      timeInForce: price === null ? 'ioc' : 'gtc',
      expiresAtMs: null,
      postOnly: false,
      reduceOnly: false,
      stpMode: 'cancel_resting',
      maxCost: null,
      validUntilMs: null,
      clientOrderId: null,
      builder: null,
      caps: null,
      grant: null,
      execution: 'hybrid',
      acceptPrice: false,
      ...fields,
      price,
    });
  }

  mint(accountId: string, lots: number): void {
    this.run({
      type: 'mint_sets',
      accountId,
      marketId: this.marketId,
      lots,
      caps: null,
      grant: null,
    });
  }

  balance(name: string): bigint {
    return this.exchange.world.ledger.get(name.replaceAll('$', this.marketId)) ?? 0n;
  }
}

function template(deposit: bigint, outcomes: number): PlainTemplate {
  return {
    id: 't',
    name: 'Vector',
    category: 'test',
    marketType: 'normal',
    outcomeSchema: outcomes === 2 ? 'binary' : 'multi',
    outcomes:
      outcomes === 2
        ? []
        : Array.from({ length: outcomes }, (_, index) => ({ id: `o${index}`, label: `O${index}` })),
    minBet: 0n,
    maxBet: 10n ** 15n,
    feeSchedule: { makerBps: 8, takerBps: 20, settleBps: 0 },
    paramsSchema: { type: 'object', properties: {} },
    displayDefaults: {
      titleTemplate: 'Vector',
      subtitleTemplate: null,
      description: null,
      imageUrlPattern: null,
    },
    roundConfig: null,
    oracleConfig: { source: 'sandbox_mock', params: {}, challengeSec: null, bond: null },
    minCreatorDeposit: deposit,
    durationSec: 86_400,
    tickPips: 10,
    minLots: 1,
    prior: null,
    requiresApproval: false,
    bandPips: null,
  };
}
