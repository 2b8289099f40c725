// A random run of a lane: accounts, templates, markets of every schema, orders of every kind, and how markets end.
import {
  type Actor,
  apply,
  asAccountId,
  asMarketId,
  asTemplateId,
  type Command,
  type CommandBody,
  createState,
  DEFAULT_PARAMETERS,
  fairValue,
  type MarketId,
  type Outcome,
  type Parameters,
  type PlaceOrder,
  type State,
  type TemplateDefinition,
} from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import { lots, pips, usdt } from '@sibyl/money';

export const START_MS = 1_794_700_000_000;
const ACCOUNTS = 6;
const OPERATOR: Actor = { kind: 'operator', name: 'test', reason: 'test' };
/** A confirmation of a cancellation waits for nothing. */
const PARAMETERS: Parameters = {
  ...DEFAULT_PARAMETERS,
  resolution: { ...DEFAULT_PARAMETERS.resolution, voidNoticeMs: 0 },
};

export class RandomRun {
  readonly state: State = createState('sandbox', PARAMETERS);
  readonly committed: CommittedCommand[] = [];
  nowMs = START_MS;
  #seed: number;
  readonly #markets: MarketId[] = [];
  #named = 0;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#fund(asAccountId('acc_platform'));
    for (const [index, template] of TEMPLATES.entries()) {
      this.run({ type: 'publish_template', template });
      this.#createMarket(index, 0);
    }
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const accountId = nameOf(index);
      const referrerId = index > 3 ? nameOf(0) : null;
      const who = { accountId, mode: 'sandbox', parentId: null, referrerId } as const;
      this.run({ type: 'open_account', ...who });
      this.#fund(accountId);
    }
  }

  /** Plays on for so many commands and gives what came of them. */
  play(count: number): readonly CommittedCommand[] {
    const from = this.committed.length;
    for (let step = 0; step < count; step += 1) {
      if (this.draw(4) === 0) this.nowMs += this.draw(40_000);
      this.#step();
    }
    return this.committed.slice(from);
  }

  run(body: CommandBody, actor: Actor = OPERATOR): Outcome {
    const seq = this.state.seq + 1;
    const command: Command = { seq, atMs: this.nowMs, actor, ...body };
    const outcome = apply(this.state, command);
    this.committed.push({ command, outcome, hash: '' });
    return outcome;
  }

  draw(bound: number): number {
    this.#seed = (this.#seed + 0x6d2b79f5) >>> 0;
    let value = Math.imul(this.#seed ^ (this.#seed >>> 15), this.#seed | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) % bound;
  }

  #step(): void {
    const kind = this.draw(100);
    const who = this.draw(ACCOUNTS);
    if (kind < 62) this.#as(who, this.#order(who));
    else if (kind < 70) this.#batch(who);
    else if (kind < 78) this.#cancel(who);
    else if (kind < 84) this.#amend(who);
    else if (kind < 90) this.#convert(who);
    else if (kind < 92) this.#as(who, { type: 'faucet', accountId: nameOf(who), keyId: null });
    else if (kind < 93 && this.draw(4) === 0) this.#reset(who);
    else if (kind < 94) this.#cancelAll(who);
    else if (kind < 95 && this.draw(4) === 0) this.#end(who);
    else if (kind < 96 && this.draw(4) === 0)
      this.#createMarket(this.draw(TEMPLATES.length), this.#markets.length);
    else this.run({ type: 'tick' });
  }

  #as(who: number, body: CommandBody): void {
    const keyId = who % 2 === 0 ? `sk_test_${who}` : null;
    this.run(body, { kind: 'account', accountId: nameOf(who), keyId });
  }

  #reset(who: number): void {
    this.#as(who, { type: 'reset_account', accountId: nameOf(who) });
    this.#fund(nameOf(who));
  }

  #fund(accountId: ReturnType<typeof asAccountId>): void {
    this.run({
      type: 'deposit',
      accountId,
      amount: usdt(5_000_000_000n),
      reference: `a "gift" to ${accountId}`,
    });
  }

  #order(who: number): PlaceOrder {
    const marketId = this.#market();
    const { outcomes } = this.state.markets.get(marketId)!;
    const isLimit = this.draw(4) !== 0;
    const kinds = ['gtc', 'gtc', 'gtc', 'ioc', 'fok', 'gtd'] as const;
    const timeInForce = isLimit ? kinds[this.draw(kinds.length)]! : 'ioc';
    const rests = timeInForce === 'gtc' || timeInForce === 'gtd';
    const side = this.draw(3) === 0 ? 'sell' : 'buy';
    this.#named += 1;
    return {
      type: 'place_order',
      accountId: nameOf(who),
      marketId,
      outcomeId: outcomes[this.draw(outcomes.length)]!.id,
      side,
      orderType: isLimit ? 'limit' : 'market',
      price: isLimit ? pips(10 * (20 + this.draw(960))) : null,
      lots: lots(1 + this.draw(4000)),
      timeInForce,
      expiresAtMs: timeInForce === 'gtd' ? this.nowMs + 1 + this.draw(60_000) : null,
      postOnly: rests && this.draw(8) === 0,
      reduceOnly: !rests && side === 'sell' && this.draw(4) === 0,
      stpMode: this.draw(2) === 0 ? 'cancel_resting' : 'cancel_incoming',
      maxCost: !rests && side === 'buy' && this.draw(3) === 0 ? usdt(3_000_000n) : null,
      validUntilMs: this.draw(6) === 0 ? this.nowMs - 5 + this.draw(10) : null,
      clientOrderId: this.draw(2) === 0 ? `c "${this.#named}"` : null,
      builder: this.draw(8) === 0 ? { appId: 'app_x', feeBps: 10, capBps: 50 } : null,
      caps: null,
      grant: null,
      execution: this.draw(10) === 0 ? 'mid' : 'hybrid',
      acceptPrice: false,
    };
  }

  #batch(who: number): void {
    const items = [this.#order(who), this.#order(who), this.#order(who)];
    this.#as(who, { type: 'batch', accountId: nameOf(who), items, allOrNone: false });
  }

  #cancel(who: number): void {
    const order = this.#openOrder(who);
    if (order === undefined) return;
    this.#as(who, { type: 'cancel_order', accountId: nameOf(who), orderId: order.id });
  }

  #amend(who: number): void {
    const order = this.#openOrder(who);
    if (order === undefined) return;
    this.#as(who, {
      type: 'amend_order',
      accountId: nameOf(who),
      orderId: order.id,
      price: this.draw(2) === 0 ? null : pips(10 * (20 + this.draw(960))),
      lots: lots(1 + this.draw(4000)),
      caps: null,
      grant: null,
    });
  }

  #cancelAll(who: number): void {
    const filter = { marketId: null, outcomeId: null, side: null, orderIds: null };
    this.#as(who, { type: 'cancel_orders', accountId: nameOf(who), ...filter });
  }

  #convert(who: number): void {
    const isMint = this.draw(2) === 0;
    const size = lots(1 + this.draw(1000));
    const what = { accountId: nameOf(who), marketId: this.#market(), lots: size };
    this.#as(
      who,
      isMint
        ? { type: 'mint_sets', ...what, caps: null, grant: null }
        : { type: 'merge_sets', ...what },
    );
  }

  #end(who: number): void {
    const marketId = this.#market();
    if (this.draw(3) === 0) {
      this.cancel(marketId);
      return;
    }
    const { outcomes } = this.state.markets.get(marketId)!;
    const winningOutcomeId = outcomes[this.draw(outcomes.length)]!.id;
    this.#as(who, { type: 'mock_oracle', accountId: nameOf(who), marketId, winningOutcomeId });
  }

  /** Ends a market that may have traded; one that cannot be cancelled now stays as it is. */
  cancel(marketId: MarketId): void {
    const window = { fromMs: START_MS, toMs: this.nowMs + 1 };
    const value = fairValue(this.state, this.state.markets.get(marketId)!, window);
    if ('code' in value) return;
    const terms = { cause: 'event', reason: 'a mistake', evidence: ['e'], excluded: [] } as const;
    const expected = value.payout;
    this.run({ type: 'propose_void', marketId, ...terms, window, expected });
    this.run({ type: 'rule_resolution', marketId, ruling: 'upheld', result: null, alone: true });
  }

  #createMarket(template: number, number: number): void {
    const outcome = this.run({
      type: 'create_market',
      accountId: asAccountId(number % 2 === 0 ? 'acc_platform' : nameOf(1)),
      templateId: TEMPLATES[template]!.id,
      params: { n: number },
      displayTitle: null,
      displayImageUrl: null,
    });
    const { answer } = outcome;
    if (answer.ok && answer.result.kind === 'market' && !answer.result.existed) {
      this.#markets.push(answer.result.marketId);
    }
  }

  /** Mostly one of the latest: the others have ended by and by. */
  #market(): MarketId {
    const count = this.#markets.length;
    const back = this.draw(Math.min(count, 4));
    return this.#markets[count - 1 - back] ?? asMarketId('m_0000000000000000');
  }

  #openOrder(who: number) {
    const account = this.state.accounts.get(nameOf(who));
    const open = account === undefined ? [] : this.state.orderLists.of(account);
    return open[this.draw(Math.max(1, open.length))];
  }
}

export function nameOf(index: number) {
  return asAccountId(`acc_${index}`);
}

const COMMON = {
  category: 'test',
  marketType: 'creator',
  minBet: usdt(0n),
  maxBet: usdt(10n ** 12n),
  feeSchedule: { makerBps: 8, takerBps: 20, settleBps: 100 },
  paramsSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  displayDefaults: {
    titleTemplate: 'Market {n}',
    subtitleTemplate: null,
    description: null,
    imageUrlPattern: null,
  },
  roundConfig: null,
  oracleConfig: { source: 'sandbox_mock', params: {}, challengeSec: null, bond: null },
  durationSec: 40_000,
  tickPips: pips(10),
  minLots: 1,
  prior: null,
  requiresApproval: false,
  bandPips: null,
} as const;

export const TEMPLATES: readonly TemplateDefinition[] = [
  {
    ...COMMON,
    id: asTemplateId('book'),
    name: 'Only a book',
    outcomeSchema: 'binary',
    outcomes: [],
    minCreatorDeposit: usdt(0n),
  },
  {
    ...COMMON,
    id: asTemplateId('pool'),
    name: 'With a pool',
    outcomeSchema: 'binary',
    outcomes: [],
    minCreatorDeposit: usdt(100_000_000n),
  },
  {
    ...COMMON,
    id: asTemplateId('multi'),
    name: 'Three outcomes',
    outcomeSchema: 'multi',
    outcomes: [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
      { id: 'c', label: 'C' },
    ],
    minCreatorDeposit: usdt(200_000_000n),
  },
];
