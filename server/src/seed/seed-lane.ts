// Fills a fresh lane through real commands: in the sandbox as if it had been running for two weeks.

import type { Actor, CommandBody, Outcome, State } from '@sibyl/engine';
import { fundBotAccounts, openBotAccounts } from '../bots/bot-accounts.ts';
import { Chance } from '../bots/noise.ts';
import { isTrading } from '../bots/orders.ts';
import type { ReferencePrices } from '../bots/reference-price.ts';
import { dueRounds } from '../bots/rounds.ts';
import { actorOf, type Strategy, strategiesOf } from '../bots/strategies.ts';
import { type Act, liveAgenda, liveDemo, sandboxAgenda } from './agenda.ts';
import type { SeedClock } from './seed-clock.ts';

/** The part of a lane that seeding needs. */
export interface SeededLane {
  readonly name: 'live' | 'sandbox';
  submit(submission: {
    readonly body: CommandBody;
    readonly actor: Actor;
    readonly requestId: string;
  }): Promise<Outcome>;
  read<T>(query: (state: State) => T): Promise<T>;
}

export interface Seeding {
  readonly nowMs: number;
  readonly prices: ReferencePrices;
  /** Whether a live lane begins with markets to show around. */
  readonly hasLiveDemo: boolean;
  progress?(progress: SeedProgress): void;
}

export interface SeedProgress {
  readonly lane: 'live' | 'sandbox';
  /** From 0 to 1. */
  readonly done: number;
}

const SEEDED_DAYS = 14;

/** The clock a lane is opened with in order to be seeded. */
export function seedStartMs(lane: 'live' | 'sandbox', nowMs: number): number {
  if (lane === 'live') return nowMs;
  return Math.floor(nowMs / HOUR_MS) * HOUR_MS - SEEDED_DAYS * DAY_MS;
}

export async function seedLane(
  lane: SeededLane,
  clock: SeedClock,
  seeding: Seeding,
): Promise<void> {
  const { nowMs, hasLiveDemo } = seeding;
  if (lane.name === 'sandbox') await seedSandbox(lane, clock, seeding);
  else {
    const demo = hasLiveDemo ? liveDemo(nowMs) : [];
    await carryOut(lane, clock, [...liveAgenda(nowMs), ...demo]);
  }
  seeding.progress?.({ lane: lane.name, done: 1 });
}

async function seedSandbox(lane: SeededLane, clock: SeedClock, seeding: Seeding): Promise<void> {
  const { nowMs, prices } = seeding;
  const startMs = seedStartMs('sandbox', nowMs);
  let agenda = sandboxAgenda(startMs, nowMs);
  await command(lane, await lane.read(openBotAccounts));
  const chance = new Chance('sandbox');
  const strategies = strategiesOf(prices);
  for (let atMs = startMs; atMs <= nowMs; atMs += stepMs(nowMs - atMs, chance)) {
    const due = agenda.filter((act) => act.atMs <= atMs);
    agenda = agenda.slice(due.length);
    await command(lane, await lane.read(fundBotAccounts));
    await carryOut(lane, clock, due);
    clock.advanceTo(atMs);
    if (nowMs - atMs <= ROUNDS_SPAN_MS) {
      await command(lane, await lane.read((state) => dueRounds(state, atMs, prices)));
    }
    await trade(lane, atMs, chance, strategies);
    seeding.progress?.({ lane: lane.name, done: (atMs - startMs) / (nowMs - startMs) });
  }
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** For how long before now fast rounds are run; two weeks of them would bury the other markets. */
const ROUNDS_SPAN_MS = 2 * HOUR_MS;
const OPERATOR: Actor = { kind: 'operator', name: 'seed', reason: 'first start' };

/** Coarse at first, then finer: the latest candles are those that people look at. */
function stepMs(leftMs: number, chance: Chance): number {
  if (leftMs <= HOUR_MS) return MINUTE_MS;
  if (leftMs <= 12 * HOUR_MS) return chance.between(3, 8) * MINUTE_MS;
  return chance.between(10, 26) * MINUTE_MS;
}

async function carryOut(lane: SeededLane, clock: SeedClock, acts: readonly Act[]): Promise<void> {
  for (const [index, act] of acts.entries()) {
    clock.advanceTo(act.atMs);
    const { body: wanted } = act;
    const body = typeof wanted === 'function' ? await lane.read(wanted) : wanted;
    const requestId = `seed-${body.type}-${index}`;
    const outcome = await lane.submit({ body, actor: OPERATOR, requestId });
    if (!outcome.answer.ok) {
      const { code, details } = outcome.answer.rejection;
      throw new Error(`seeding: ${body.type} was refused with ${code} ${Object.values(details)}`);
    }
  }
}

/** Decisions of the house and of the bots; a refusal of one of these is part of life. */
async function command(lane: SeededLane, bodies: readonly CommandBody[]): Promise<void> {
  await Promise.all(
    bodies.map((body) => lane.submit({ body, actor: actorOf(body, OPERATOR), requestId: 'seed' })),
  );
}

/** A part of the markets moves at each step; twice as much of what moves is noise. */
async function trade(
  lane: SeededLane,
  atMs: number,
  chance: Chance,
  strategies: readonly Strategy[],
): Promise<void> {
  const trading = await lane.read((state) => {
    const markets = [...state.markets.values()].filter(isTrading);
    return markets.filter(() => chance.percent(35));
  });
  for (const decide of [...strategies, ...strategies.slice(-1)]) {
    const bodies = await lane.read((state) =>
      trading.flatMap((market) => decide(state, market, atMs, chance)),
    );
    await command(lane, bodies);
  }
}
