// The seeded stream of commands over mixed markets: makers, takers, cancellers, creators, disputers, and mistakes.
import type { NaiveOutcome } from '../naive/exchange.ts';
import type { CommandOf, PlainCommand } from '../naive/plain.ts';
import { Prng } from '../prng.ts';
import type { Scenario } from '../scenario.ts';
import { drawActor } from './actor.ts';
import { WorkloadClock } from './clock.ts';
import { corrupt } from './corrupt.ts';
import { drawFamilyCommand, isOwnersMaking } from './draw-families.ts';
import { drawFunds } from './draw-funds.ts';
import {
  type Body,
  drawAccountCommand,
  drawCreation,
  drawDispute,
  drawFaucetAgain,
  drawMock,
  drawProposal,
  drawReadings,
  drawRuling,
} from './draw-lifecycle.ts';
import { drawOperatorAct } from './draw-operator.ts';
import { asMinted, drawAmendment, drawHeartbeat, drawOrder } from './draw-orders.ts';
import { drawOwnLimits } from './draw-own-limits.ts';
import { drawCancel, drawRevenue, grantOf } from './draw-revenue.ts';
import { drawVoid, drawVoidRounds, type Preview } from './draw-voids.ts';
import { openingAccounts } from './opening-accounts.ts';
import { drawTemplate } from './templates.ts';
import { type KnownMarket, type KnownOrder, View } from './view.ts';

const MICRO = 1_000_000n;
const ACTIVE_WANTED = 8;
const OPEN_WANTED = 160;

export class Workload {
  readonly view = new View();
  readonly lane: 'live' | 'sandbox';
  readonly #parameters: Scenario['parameters'];
  readonly #random: Prng;
  readonly #preview: Preview;
  /** What comes before anything else is drawn. */
  readonly #planned: Body[];
  #seq = 0;
  readonly #clock: WorkloadClock;
  #nonce = 0;
  #templateCount = 0;
  /** The time of a tick or recovery that stopped before everything had rung, else null. */
  #behindMs: number | null = null;
  /** Commands with a key, for retries. */
  readonly #keyed: PlainCommand[] = [];

  constructor({ seed, lane, parameters }: Scenario, preview: Preview) {
    this.#preview = preview;
    this.#random = new Prng(seed);
    this.lane = lane;
    this.#parameters = parameters;
    this.#clock = new WorkloadClock(this.#random, parameters.resolution);
    this.#planned = this.#openingCommands();
  }

  next(): PlainCommand {
    const random = this.#random;
    this.#seq += 1;
    this.#clock.advance(this.view);
    const planned = this.#planned.shift();
    if (planned !== undefined) return this.#command(planned);
    // A lane ticks until nothing is due; now and then this one forgets to.
    if (this.#behindMs !== null && random.chance(14, 15)) return this.#catchUp(this.#behindMs);
    if (random.chance(1, 300)) {
      this.#clock.skip(random.pick([0, 60_000, 7_200_000]));
      return this.#command({ type: 'recover' });
    }
    const retried =
      this.#keyed.length > 0 && random.chance(1, 50) ? random.pick(this.#keyed) : null;
    if (retried !== null) return this.#retry(retried);
    const command = this.#command(this.#draw());
    if (random.chance(1, 10)) return corrupt(random, this.view, command);
    if (!random.chance(1, 12)) return command;
    const accountId = random.pick(this.view.accounts).id;
    const key = {
      scope: `${accountId} POST /v1`,
      key: `k${random.between(1, 200)}`,
      bodyHash: `h${random.bits()}`,
    };
    const keyed = { ...command, key };
    this.#keyed.push(keyed);
    if (this.#keyed.length > 30) this.#keyed.shift();
    return keyed;
  }

  observe(command: PlainCommand, outcome: NaiveOutcome): void {
    this.view.observe(command, outcome);
    const bounded = command.type === 'tick' || command.type === 'recover';
    this.#behindMs = bounded && outcome.atMs < command.atMs ? command.atMs : null;
  }

  #catchUp(behindMs: number): PlainCommand {
    const command = this.#command({ type: 'tick' });
    return { ...command, atMs: Math.max(command.atMs, behindMs) };
  }

  #retry(earlier: PlainCommand): PlainCommand {
    const again = { ...earlier, seq: this.#seq, atMs: this.#clock.nowMs };
    if (again.key === undefined || !this.#random.chance(1, 5)) return again;
    return { ...again, key: { ...again.key, bodyHash: 'another' } };
  }

  #openingCommands(): Body[] {
    const bodies = [...openingAccounts(this.lane)];
    for (let index = 0; index < 6; index += 1) bodies.push(this.#publication());
    return bodies;
  }

  #publication(): Body {
    this.#templateCount += 1;
    const known = this.view.templates.map((each) => each.definition.id);
    const again = known.length > 0 && this.#random.chance(1, 4);
    const id = again ? this.#random.pick(known) : `tpl_${this.#templateCount}`;
    // A holder of all outcomes must fit into one chunk, or its market never closes.
    const { chunkMax } = this.#parameters;
    const template = drawTemplate(this.#random, id, this.lane, chunkMax);
    return { type: 'publish_template', template };
  }

  #draw(): Body {
    const random = this.#random;
    const active = this.view.activeMarkets();
    if (active.length < ACTIVE_WANTED && random.chance(1, active.length < 2 ? 2 : 20))
      return this.#creation();
    // Subaccounts that their owners opened live on what those transfer, so that some can be closed.
    const poor = this.view.accounts.find(
      ({ id }) => !isOwnersMaking(id) && this.view.free(id) < 5_000n * MICRO,
    );
    if (poor !== undefined && random.chance(1, 10)) {
      const reference = `refill_${this.#seq}`;
      return { type: 'deposit', accountId: poor.id, amount: 80_000n * MICRO, reference };
    }
    if (this.view.readOnly && random.chance(1, 12))
      return { type: 'set_read_only', readOnly: false, reason: 'over' };
    const frozen = this.view.accounts.find((account) => account.frozen);
    if (frozen !== undefined && random.chance(1, 12)) {
      return random.chance(1, 2)
        ? { type: 'freeze_account', accountId: frozen.id, frozen: false }
        : { type: 'change_subaccount', accountId: frozen.id, label: null, status: 'active' };
    }
    const crowded = this.view.orders.size > OPEN_WANTED;
    const kind = random.weighted([
      [active.length > 0 ? 520 : 0, 'place'],
      [crowded ? 200 : 50, 'cancel'],
      [90, 'amend'],
      [crowded ? 15 : 5, 'cancel_orders'],
      [4, 'heartbeat'],
      [30, 'batch'],
      [3, 'own_limits'],
      [25, 'family'],
      [60, 'account'],
      [25, 'funds'],
      [14, 'revenue'],
      [40, 'lifecycle'],
      [30, 'tick'],
      [2, 'rare'],
    ] as const);
    switch (kind) {
      case 'place':
        // One market is busier than the others, so that its band is met again and again.
        return this.#placement(random.pick(random.chance(1, 3) ? active.slice(0, 1) : active));
      case 'cancel':
        return this.#cancellation();
      case 'amend':
        return this.#amendment();
      case 'cancel_orders':
        return this.#filter();
      case 'heartbeat':
        return drawHeartbeat(random, this.view);
      case 'batch':
        return this.#batch(active);
      case 'account':
        return this.#accountCommand();
      case 'own_limits':
        return drawOwnLimits(random, this.view, this.#clock.nowMs);
      case 'family':
        return drawFamilyCommand(random, this.view);
      case 'funds':
        return drawFunds(random, this.view, this.#clock.nowMs);
      case 'revenue':
        return drawRevenue(random, this.view);
      case 'lifecycle':
        return this.#lifecycle();
      case 'rare':
        return this.#rarity();
      default:
        return { type: 'tick' };
    }
  }

  /** Some uses of the faucet are followed by resets and further uses within its interval. */
  #accountCommand(): Body {
    const body = drawAccountCommand(this.#random, this.view);
    if (body.type === 'faucet' && this.lane === 'sandbox' && this.#random.chance(1, 3)) {
      this.#planned.push(...drawFaucetAgain(this.#random, this.view, body));
    }
    return body;
  }

  #creation(): Body {
    this.#nonce += 1;
    const again = this.#nonce > 3 && this.#random.chance(1, 10);
    return drawCreation(
      this.#random,
      this.view,
      this.#clock.nowMs,
      again ? this.#nonce - 1 : this.#nonce,
      this.#parameters.closesWithinMs,
    );
  }

  #placement(market: KnownMarket) {
    const random = this.#random;
    const account = random.pick(this.view.accounts);
    const order = drawOrder(random, this.view, account, market, this.#clock.nowMs);
    const isMid = this.lane === 'sandbox' && random.chance(1, 15);
    return asMinted(isMid ? { ...order, execution: 'mid' } : order);
  }

  #someOrder(): KnownOrder | null {
    const open = [...this.view.orders.values()];
    return open.length === 0 ? null : this.#random.pick(open);
  }

  #cancellation(): Body {
    const random = this.#random;
    const order = this.#someOrder();
    const late = random.chance(1, 8) || order === null ? this.view.closed : [];
    const target = late.length > 0 ? random.pick(late) : order;
    return drawCancel(random, target?.accountId ?? 'acc_1', target?.id ?? 1);
  }

  #amendment(): Extract<Body, { type: 'amend_order' }> {
    const order = this.#someOrder();
    if (order !== null) return drawAmendment(this.#random, this.view, order);
    return {
      type: 'amend_order',
      accountId: 'acc_1',
      orderId: 1,
      price: 5000,
      lots: null,
      caps: null,
      grant: null,
    };
  }

  #filter(): Body {
    const random = this.#random;
    const order = this.#someOrder();
    const market = order === null ? undefined : this.view.markets.get(order.marketId);
    const named = random.chance(1, 3);
    const ids = [...this.view.orders.keys()]
      .slice(-6)
      .concat(this.view.closed.slice(-2).map((each) => each.id));
    const accountId = order?.accountId ?? random.pick(this.view.accounts).id;
    const isEnded = random.chance(1, 4);
    return {
      type: 'cancel_orders',
      accountId,
      marketId: market !== undefined && random.chance(2, 3) ? market.id : null,
      outcomeId: null,
      side: random.pick([null, null, 'buy', 'sell']),
      orderIds: named ? ids : null,
      ...(isEnded
        ? { grantId: grantOf(accountId), reason: 'grant_ended' }
        : random.chance(1, 6) && { reason: 'disconnect' }),
    };
  }

  #batch(active: readonly KnownMarket[]): Body {
    const random = this.#random;
    const account = random.pick(this.view.accounts);
    const own = [...this.view.orders.values()].filter((order) => order.accountId === account.id);
    const items: CommandOf<'batch'>['items'][number][] = [];
    for (let index = random.between(1, 6); index > 0; index -= 1) {
      if (own.length > 0 && random.chance(1, 3)) {
        const order = random.pick(own);
        if (random.chance(1, 2)) items.push(drawCancel(random, account.id, order.id));
        else items.push(drawAmendment(random, this.view, order));
      } else if (active.length > 0) {
        items.push(drawOrder(random, this.view, account, random.pick(active), this.#clock.nowMs));
      }
    }
    if (items.length === 0) items.push({ type: 'cancel_order', accountId: account.id, orderId: 1 });
    return { type: 'batch', accountId: account.id, items, allOrNone: random.chance(1, 2) };
  }

  #lifecycle(): Body {
    const random = this.#random;
    const any = [...this.view.markets.values()].slice(-30);
    if (any.length === 0) return this.#creation();
    const settling = this.view.marketsIn('settling');
    const locked = this.view.marketsIn('locked');
    const active = this.view.activeMarkets();
    const halted = active.filter((market) => market.halted);
    const rounds = [...locked, ...halted].filter(({ template }) => template.roundConfig !== null);
    const waiting = any.filter((market) => !market.approved && market.status === 'scheduled');
    const market = random.pick(any);
    const pickOr = (list: readonly KnownMarket[]): KnownMarket =>
      list.length > 0 ? random.pick(list) : market;
    const kind = random.weighted([
      [3, 'halt'],
      [halted.length > 0 ? 8 : 1, 'resume'],
      [waiting.length > 0 ? 8 : 1, 'approve'],
      [locked.length > 0 ? 10 : 2, 'propose'],
      [settling.length > 0 ? 10 : 1, 'dispute'],
      [settling.some((each) => each.disputed) ? 6 : 2, 'rule'],
      [locked.length > 0 ? 10 : 1, 'readings'],
      [4, 'mock'],
      [3, 'cancel'],
      [5, 'void'],
      [rounds.length > 0 ? 12 : 1, 'void_rounds'],
      [4, 'create'],
      [6, 'operator'],
    ] as const);
    switch (kind) {
      case 'halt': {
        const untilMs = random.chance(1, 2) ? null : this.#clock.nowMs + random.between(1, 120_000);
        return { type: 'halt_market', marketId: pickOr(active).id, untilMs, reason: 'check' };
      }
      case 'resume':
        return { type: 'resume_market', marketId: pickOr(halted).id };
      case 'approve':
        return { type: 'approve_market', marketId: pickOr(waiting).id };
      case 'propose':
        return drawProposal(
          random,
          this.view,
          pickOr(random.pick([locked, locked, locked, active, settling])),
        );
      case 'dispute':
        return drawDispute(random, this.view, pickOr(settling));
      case 'rule':
        return drawRuling(
          random,
          pickOr(random.chance(1, 4) ? settling : settling.filter((each) => each.disputed)),
        );
      case 'readings':
        return drawReadings(random, pickOr(locked));
      case 'mock': {
        const mocked = [...active, ...locked].filter(
          (each) => each.template.oracleConfig.source === 'sandbox_mock',
        );
        return drawMock(random, this.view, pickOr(mocked));
      }
      case 'operator':
        return drawOperatorAct(random, this.view, pickOr(active));
      case 'cancel':
        return { type: 'cancel_market', marketId: market.id, reason: 'called off' };
      case 'void': {
        const list = random.pick([active, settling, locked, halted]);
        return drawVoid(random, this.view, pickOr(list), this.#preview);
      }
      case 'void_rounds':
        return drawVoidRounds(random, this.view, [...locked, ...halted, market], this.#preview);
      default:
        return this.#creation();
    }
  }

  #rarity(): Body {
    const random = this.#random;
    const kind = random.pick([
      'publish',
      'publish',
      'deprecate',
      'read_only',
      'read_only',
    ] as const);
    if (kind === 'read_only') {
      const cancelOnly = random.chance(1, 2);
      return { type: 'set_read_only', readOnly: true, cancelOnly, reason: 'drill' };
    }
    const usable = this.view.templates.filter((each) => !each.deprecated);
    if (kind === 'deprecate' && usable.length > 5) {
      return { type: 'deprecate_template', templateId: random.pick(usable).definition.id };
    }
    return this.#publication();
  }

  #command(body: Body): PlainCommand {
    return {
      seq: this.#seq,
      atMs: Math.max(0, this.#clock.nowMs),
      actor: drawActor(this.#random, this.view, body),
      ...body,
    };
  }
}
