// Keeps the sandbox alive: fast rounds follow one another, and the bots trade so that prices move.

import type { Actor, CommandBody, Market, State } from '@sibyl/engine';
import { type Clock, type Lane, LaneUnavailable } from '@sibyl/lane';
import { fundBotAccounts, openBotAccounts } from './bot-accounts.ts';
import { Chance } from './noise.ts';
import { isTrading } from './orders.ts';
import { RecurringMarkets } from './recurring-markets.ts';
import type { ReferencePrices } from './reference-price.ts';
import { dueRounds, overdueRounds } from './rounds.ts';
import { actorOf, type Strategy, strategiesOf } from './strategies.ts';

export interface SandboxActivityOptions {
  readonly lane: Pick<Lane, 'submit' | 'read' | 'nowMs'>;
  readonly clock: Clock;
  readonly prices: ReferencePrices;
  /** Rounds run and markets begin anew in any case; the bots trade only if they are wanted. */
  readonly hasBots: boolean;
  /** Told of anything but a lane that does not take commands just now. */
  readonly onDefect: (error: unknown) => void;
}

export class SandboxActivity {
  readonly #options: SandboxActivityOptions;
  readonly #chance: Chance;
  readonly #strategies: readonly Strategy[];
  readonly #recurring = new RecurringMarkets();
  #takeBack: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  #beat = 0;

  constructor(options: SandboxActivityOptions) {
    this.#options = options;
    this.#chance = new Chance(`life|${options.clock.wallMs()}`);
    this.#strategies = strategiesOf(options.prices);
  }

  start(): void {
    this.#schedule(0);
  }

  /** Nothing is submitted any more once this resolves. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#takeBack();
    await this.#running;
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped) return;
    this.#takeBack = this.#options.clock.setAlarm(delayMs, () => {
      this.#running = this.#live().catch((error: unknown) => {
        if (!(error instanceof LaneUnavailable)) this.#options.onDefect(error);
      });
      this.#running.then(() => this.#schedule(BEAT_MS)).catch(this.#options.onDefect);
    });
  }

  async #live(): Promise<void> {
    const { prices, hasBots } = this.#options;
    const isFirst = this.#beat === 0;
    this.#beat += 1;
    await this.#act((state, nowMs) => [
      ...(isFirst ? [...openBotAccounts(state), ...overdueRounds(state, nowMs, prices)] : []),
      ...dueRounds(state, nowMs, prices),
    ]);
    if (this.#beat % BEATS_PER_TRADE !== 0) return;
    await this.#act((state) => fundBotAccounts(state));
    if (this.#beat % BEATS_PER_CHECK === 0) {
      await this.#act((state, nowMs) => this.#recurring.due(state, nowMs));
    }
    if (!hasBots) return;
    for (const decide of this.#strategies) {
      await this.#act((state, nowMs) => {
        const market = this.#pick(state);
        return market === null ? [] : decide(state, market, nowMs, this.#chance);
      });
    }
  }

  /** One market for each kind of trader: somewhere something always happens, nowhere all at once. */
  #pick(state: State): Market | null {
    const trading: Market[] = [];
    for (const market of state.markets.values()) if (isTrading(market)) trading.push(market);
    return trading[this.#chance.below(trading.length)] ?? null;
  }

  async #act(decide: (state: State, nowMs: number) => readonly CommandBody[]): Promise<void> {
    const { lane } = this.#options;
    const bodies = await lane.read((state) => (state.readOnly ? [] : decide(state, lane.nowMs())));
    if (this.#isStopped) return;
    await Promise.all(
      bodies.map((body) =>
        lane.submit({ body, actor: actorOf(body, SYSTEM), requestId: 'sandbox' }),
      ),
    );
  }
}

const BEAT_MS = 1_000;
const BEATS_PER_TRADE = 2;
const BEATS_PER_CHECK = 20;
const SYSTEM: Actor = { kind: 'system' };
