// A lane on which states are built through commands alone, with a clock that a scenario moves.
import {
  type AccountId,
  type Actor,
  apply,
  asAccountId,
  asTemplateId,
  type Command,
  type CommandBody,
  createState,
  DEFAULT_PARAMETERS,
  type Market,
  type MarketId,
  type Outcome,
  type Parameters,
  type PlaceOrder,
  previewOrder,
  type State,
  type TemplateDefinition,
} from '@sibyl/engine';
import { lots, pips, usdt } from '@sibyl/money';
import { defineTemplate, OPERATOR } from '../engine/lane.ts';
import type { Watch } from './watch.ts';

/** A whole minute and day. */
const START_MS = 19_700 * 86_400_000;
const FUNDS = usdt(1_000_000_000_000n);
const PLATFORM_FUNDS = usdt(100_000_000_000_000n);
const NO_LIMIT = 100_000_000_000;
/** A state that is worked off so slowly has shown what it has to show. */
const WORK_OFF_MAX_MS = 12_000;
export const DAY_MS = 86_400_000;

/** The defaults but for the limits per account: the bound holds for any choice of them, and few accounts build states faster. */
const PARAMETERS: Parameters = {
  ...DEFAULT_PARAMETERS,
  risk: {
    ...DEFAULT_PARAMETERS.risk,
    openOrdersPerMarket: NO_LIMIT,
    openOrdersPerAccount: NO_LIMIT,
    openNotionalMax: usdt(1_000_000_000_000_000n),
  },
  resolution: { ...DEFAULT_PARAMETERS.resolution, voidNoticeMs: 0, autoVoid: true },
};

export interface MarketChoice {
  readonly outcomes?: number;
  /** In whole USDT; zero makes a market of the book alone. */
  readonly deposit?: number;
  readonly template?: Partial<TemplateDefinition>;
}

/** Price in pips; without one it is a market order. */
export interface OrderChoice {
  readonly accountId: AccountId;
  readonly market: Market;
  readonly outcome: number;
  readonly side: 'buy' | 'sell';
  readonly price?: number;
  readonly lots: number;
  readonly more?: Partial<PlaceOrder>;
}

export class Stage {
  readonly state: State;
  nowMs = START_MS;
  readonly #watch: Watch;
  /** What the state is, in words. */
  readonly #scene: string;
  #templates = 0;
  #accounts = 0;

  constructor(watch: Watch, scene: string) {
    this.#watch = watch;
    this.#scene = scene;
    this.state = createState('sandbox', PARAMETERS);
    const accountId = asAccountId('acc_platform');
    this.do({ type: 'deposit', accountId, amount: PLATFORM_FUNDS, reference: 'platform' });
  }

  /** A command on the way to a state; it must be accepted. */
  do(body: CommandBody, actor: Actor = OPERATOR, key?: Command['key']): Outcome {
    const what = `${this.#scene}: ${body.type} on the way`;
    const outcome = this.#watch.build(what, () => this.#apply(body, actor, key), countEvents);
    return mustAccept(body, outcome);
  }

  /** A command whose time is asked for; it must be accepted. */
  time(what: string, body: CommandBody, actor: Actor = OPERATOR): Outcome {
    const run = (): Outcome => this.#apply(body, actor);
    return mustAccept(body, this.#watch.time(`${this.#scene}: ${what}`, run, countEvents));
  }

  /** A dry run is no command, but takes its time on the same core. */
  timePreview(what: string, choice: OrderChoice): void {
    const run = () => previewOrder(this.state, OPERATOR, orderOf(choice));
    const preview = this.#watch.time(`${this.#scene}: ${what}`, run, () => 0);
    if ('code' in preview) throw new Error(`a dry run was refused: ${preview.code}`);
  }

  timeOrder(what: string, choice: OrderChoice): Outcome {
    return this.time(what, orderOf(choice));
  }

  /** Lets time pass as a lane does: ticks until nothing is due any more, nor a millisecond later, when work is gone on with. */
  advance(what: string, ms: number): void {
    this.nowMs += ms;
    const began = performance.now();
    const run = (): Outcome => this.#apply({ type: 'tick' }, OPERATOR);
    for (let ticks = 1; this.#reachDue(); ticks += 1) {
      this.#watch.timeNext(`${this.#scene}: ${what}, tick`, run, countEvents);
      if (performance.now() - began < WORK_OFF_MAX_MS) continue;
      console.error(`bench: ${this.#scene}: ${what}: given up after ${ticks} ticks`);
      return;
    }
  }

  /** Time for what is left of the last command's work. */
  finish(what: string): void {
    this.advance(what, 0);
  }

  /** As after a start: a recovery first, then ticks. */
  recover(what: string, ms: number): void {
    this.nowMs += ms;
    this.time(`${what}, recover`, { type: 'recover' });
    this.finish(what);
  }

  openAccounts(count: number, relations?: (index: number) => Partial<Relations>): AccountId[] {
    return Array.from({ length: count }, (_, index) => {
      this.#accounts += 1;
      const accountId = asAccountId(`acc_${this.#accounts}`);
      const related = { parentId: null, referrerId: null, ...relations?.(index) };
      this.do({ type: 'open_account', accountId, mode: 'sandbox', ...related });
      this.do({ type: 'deposit', accountId, amount: FUNDS, reference: `worst ${accountId}` });
      return accountId;
    });
  }

  /** Markets of one template. */
  makeMarkets(count: number, { outcomes = 2, deposit = 0, template }: MarketChoice): Market[] {
    this.#templates += 1;
    const schema = outcomes === 2 ? 'binary' : 'multi';
    const id = `worst_${this.#templates}`;
    const choice = { id, schema, outcomes, deposit: usdt(BigInt(deposit) * 1_000_000n) } as const;
    const definition: TemplateDefinition = { ...defineTemplate(choice), ...template };
    this.do({ type: 'publish_template', template: definition });
    return Array.from({ length: count }, (_, number) => this.#makeMarket(id, number));
  }

  makeMarket(choice: MarketChoice): Market {
    return this.makeMarkets(1, choice)[0]!;
  }

  mint(accountId: AccountId, market: Market, size: number): void {
    const sets = { accountId, marketId: market.id, lots: lots(size), caps: null, grant: null };
    this.do({ type: 'mint_sets', ...sets });
  }

  place(choice: OrderChoice): Outcome {
    return this.do(orderOf(choice));
  }

  #makeMarket(templateId: string, number: number): Market {
    const { answer } = this.do({
      type: 'create_market',
      accountId: asAccountId('acc_platform'),
      templateId: asTemplateId(templateId),
      params: { number },
      displayTitle: null,
      displayImageUrl: null,
    });
    if (!answer.ok || answer.result.kind !== 'market') throw new Error('no market was made');
    return this.state.markets.get(answer.result.marketId as MarketId)!;
  }

  #apply(body: CommandBody, actor: Actor, key?: Command['key']): Outcome {
    const header = { seq: this.state.seq + 1, atMs: this.nowMs, actor };
    return apply(
      this.state,
      key === undefined ? { ...body, ...header } : { ...body, ...header, key },
    );
  }

  #reachDue(): boolean {
    const dueMs = this.state.timers.nextDueMs();
    if (dueMs === null || dueMs > this.nowMs + 1) return false;
    this.nowMs = Math.max(this.nowMs, dueMs);
    return true;
  }
}

interface Relations {
  readonly parentId: AccountId | null;
  readonly referrerId: AccountId | null;
}

export function orderOf(choice: OrderChoice): PlaceOrder {
  const { accountId, market, outcome, side, price, more } = choice;
  return {
    type: 'place_order',
    accountId,
    marketId: market.id,
    outcomeId: market.outcomes[outcome]!.id,
    side,
    orderType: price === undefined ? 'market' : 'limit',
    price: price === undefined ? null : pips(price),
    lots: lots(choice.lots),
    timeInForce: price === undefined ? 'ioc' : 'gtc',
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
    ...more,
  };
}

/** The smallest bid that rests at this price in a market of more than two outcomes (OR17). */
export function leastBid(price: number): number {
  return Math.ceil(Number(PARAMETERS.risk.bidReserveMin) / price);
}

/** What was placed, for those that go on with it. */
export function orderIdOf(outcome: Outcome) {
  const { answer } = outcome;
  if (!answer.ok || answer.result.kind !== 'order') throw new Error('no order was placed');
  return answer.result.order.orderId;
}

function countEvents({ events }: Outcome): number {
  return events.length;
}

function mustAccept(body: CommandBody, outcome: Outcome): Outcome {
  const { answer } = outcome;
  if (answer.ok) return outcome;
  const details = Object.entries(answer.rejection.details).join(' ');
  throw new Error(`${body.type} was refused: ${answer.rejection.code} ${details}`);
}
