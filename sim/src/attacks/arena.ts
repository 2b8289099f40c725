// The setting in which attacks are run: one lane of the real engine, its operator, and accounts that try what they like.
import {
  type AccountId,
  type Actor,
  apply,
  asAccountId,
  asTemplateId,
  type CommandBody,
  createState,
  DEFAULT_PARAMETERS,
  type Event,
  findHolding,
  freeShares,
  type LaneName,
  type Market,
  type MarketId,
  type OrderView,
  type Outcome,
  type Parameters,
  PLATFORM_ACCOUNT,
  reservedShares,
  type State,
  shownPrices,
} from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import type { Measured, Report, Unit } from './attack.ts';
import { type MarketTerms, templateOf } from './template.ts';

export const USDT = 1_000_000n;
export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** The beginning of a day, so that days, hours and minutes are whole. */
const START_MS = 20_000 * DAY;

const OPERATOR = 'arena';

export interface ArenaOptions {
  readonly lane?: LaneName;
  readonly parameters?: Parameters;
}

export interface Findings {
  readonly putIn: bigint;
  readonly tookOut: bigint;
  readonly measure?: Readonly<Record<string, Measured>>;
  readonly unit: Unit;
  readonly value: bigint;
  readonly bound: bigint;
}

export class Arena {
  readonly state: State;
  readonly refused = new Map<string, number>();
  /** Rebates paid at once, by account: they are published income and no part of what an attack gains. */
  readonly #rebates = new Map<AccountId, bigint>();
  #nowMs = START_MS;
  #templates = 0;

  constructor({ lane = 'sandbox', parameters = DEFAULT_PARAMETERS }: ArenaOptions = {}) {
    this.state = createState(lane, parameters);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Runs a command of an attacker or a bystander: a refusal is counted and is an answer like any other. */
  send(name: string, body: CommandBody): Outcome {
    // A command that carries caps comes from the key that they belong to, any other from a session.
    const caps = 'caps' in body ? body.caps : null;
    const keyId = caps === null ? null : caps.keyId;
    const actor: Actor = { kind: 'account', accountId: accountId(name), keyId };
    return this.#note(this.#apply(body, actor));
  }

  /** Runs a command of an operator, which sets the scene and must therefore be accepted. */
  operate(body: CommandBody, name = OPERATOR): Outcome {
    const outcome = this.#apply(body, operator(name));
    if (outcome.answer.ok) return outcome;
    throw new Error(`the scene cannot be set: ${body.type} ${outcome.answer.rejection.code}`);
  }

  /** Lets time pass; what falls due meanwhile happens. */
  advance(ms: number): Outcome {
    this.#nowMs += ms;
    return this.operate({ type: 'tick' });
  }

  /** Lets time pass in which the lane is down: nothing is sent until it recovers. */
  passDown(ms: number): Outcome {
    this.#nowMs += ms;
    return this.operate({ type: 'recover' });
  }

  /** Opens an account with so many whole USDT. */
  open(name: string, whole: number, parent: string | null = null): void {
    const id = accountId(name);
    const parentId = parent === null ? null : accountId(parent);
    const mode = this.state.lane;
    this.operate({ type: 'open_account', accountId: id, mode, parentId, referrerId: null });
    if (whole === 0) return;
    const amount = usdt(BigInt(whole) * USDT);
    this.operate({ type: 'deposit', accountId: id, amount, reference: `arena ${id}` });
  }

  /** Publishes a template of these terms and gives its id; one that is refused makes no markets. */
  publish(terms: MarketTerms): string {
    this.#templates += 1;
    const id = `arena_${this.#templates}`;
    const template = templateOf(id, terms, this.state.lane);
    this.#note(this.#apply({ type: 'publish_template', template }, operator(OPERATOR)));
    return id;
  }

  /** A market that a bystander of its own made with a deposit, or that the platform made without one. */
  market(terms: MarketTerms): MarketId {
    const { deposit = 0 } = terms;
    const templateId = asTemplateId(this.publish(terms));
    const creator = deposit > 0 ? `creator${this.#templates}` : PLATFORM_ACCOUNT;
    if (deposit > 0) this.open(creator, deposit);
    const { answer } = this.operate({
      type: 'create_market',
      accountId: accountId(creator),
      templateId,
      params: {},
      displayTitle: null,
      displayImageUrl: null,
    });
    if (!answer.ok || answer.result.kind !== 'market') throw new Error('no market was made');
    return answer.result.marketId;
  }

  get(marketId: MarketId): Market {
    const market = this.state.markets.get(marketId);
    if (market === undefined) throw new Error(`no market ${marketId}`);
    return market;
  }

  /** What the accounts have in money, reserved or not, without the rebates they were paid. */
  wealth(...names: readonly string[]): bigint {
    let sum = 0n;
    for (const name of names) {
      const account = this.state.accounts.get(accountId(name));
      if (account === undefined) continue;
      sum += this.state.ledger.balance(account.free) + this.state.ledger.balance(account.reserved);
      sum -= this.rebates(name);
    }
    return sum;
  }

  /** Money with the rebates in it. */
  money(...names: readonly string[]): bigint {
    return names.reduce((sum, name) => sum + this.rebates(name), this.wealth(...names));
  }

  rebates(name: string): bigint {
    return this.#rebates.get(accountId(name)) ?? 0n;
  }

  /** Shares held in lots, those in resting sells included. */
  lots(name: string, marketId: MarketId, outcome: number): number {
    const holding = findHolding(this.state, accountId(name), marketId);
    if (holding === undefined) return 0;
    const { state } = this;
    return Number(
      (freeShares(state, holding, outcome) + reservedShares(state, holding, outcome)) / 10_000n,
    );
  }

  /** The displayed price in whole pips. */
  price(marketId: MarketId, outcome: number): number {
    return Math.round(Number(shownPrices(this.get(marketId))[outcome]) / 100);
  }

  report(findings: Findings): Report {
    return { measure: {}, ...findings, commands: this.state.seq, refused: this.refused };
  }

  #apply(body: CommandBody, actor: Actor): Outcome {
    const seq = this.state.seq + 1;
    const outcome = apply(this.state, { seq, atMs: this.#nowMs, actor, ...body });
    for (const event of outcome.events) this.#countRebates(event);
    return outcome;
  }

  #note(outcome: Outcome): Outcome {
    if (outcome.answer.ok) return outcome;
    const { code } = outcome.answer.rejection;
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
    return outcome;
  }

  #countRebates(event: Event): void {
    if (event.type !== 'trade_executed') return;
    for (let maker = event.firstMaker; maker !== null; maker = maker.next) {
      const before = this.#rebates.get(maker.accountId) ?? 0n;
      this.#rebates.set(maker.accountId, before + BigInt(maker.rebateMicro));
    }
  }
}

function operator(name: string): Actor {
  return { kind: 'operator', name, reason: 'arena' };
}

export function accountId(name: string): AccountId {
  return asAccountId(/^(acc|sub)_/.test(name) ? name : `acc_${name}`);
}

/** The order that an answer tells of, or null when the command was refused. */
export function orderOf(outcome: Outcome): OrderView | null {
  const { answer } = outcome;
  return answer.ok && answer.result.kind === 'order' ? answer.result.order : null;
}
