// Proposals, disputes and rulings on a market that has locked, for tests of resolution.
import { type Usdt, usdt } from '@sibyl/money';
import { fairValue } from '../src/resolution/fair-value.ts';
import type {
  Actor,
  CommandBody,
  ProposeVoid,
  ResolutionResult,
  Ruling,
} from '../src/state/command.ts';
import type { Event } from '../src/state/event.ts';
import { type Market, outcomeIndex } from '../src/state/market.ts';
import type { Parameters } from '../src/state/parameters.ts';
import {
  accountName,
  type MarketOptions,
  makeWorld,
  PLAIN_PARAMETERS,
  type World,
} from './world.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** The least bond, and the window of an operator's proposal and of an account's. */
export const BOND = usdt(10_000_000n);
export const OPERATOR_WINDOW = 2 * HOUR;
export const WINDOW = 24 * HOUR;
export const YES: ResolutionResult = { kind: 'outcome', outcomeId: 'yes' };
export const NO: ResolutionResult = { kind: 'outcome', outcomeId: 'no' };

export function codeOf(world: World, body: CommandBody, actor?: Actor): string {
  const { answer } = world.run(body, actor);
  return answer.ok ? 'ok' : answer.rejection.code;
}

export function propose(market: Market, changes: object = {}): CommandBody {
  const proposerId = accountName('p');
  const base = { marketId: market.id, proposerId, result: YES, evidence: ['e'], bond: BOND };
  return { type: 'propose_resolution', ...base, ...changes };
}

export function dispute(market: Market, changes: object = {}): CommandBody {
  const accountId = accountName('d');
  const base = { marketId: market.id, accountId, evidence: ['no'], bond: BOND };
  return { type: 'dispute_resolution', ...base, ...changes };
}

export function rule(
  market: Market,
  ruling: Ruling,
  result: ResolutionResult | null = null,
): CommandBody {
  return { type: 'rule_resolution', marketId: market.id, ruling, result };
}

/** The operator who confirms what OPERATOR proposes. */
export const OTHER: Actor = { kind: 'operator', name: 'other', reason: 'test' };

/** A proposal to cancel, with the payout of its window. */
export function voiding(
  { state }: World,
  market: Market,
  changes: Partial<ProposeVoid> = {},
): ProposeVoid {
  const { window = null, excluded = [] } = changes;
  const outcomes = excluded.map((id) => outcomeIndex(market, id));
  const value = fairValue(state, market, window, outcomes);
  if ('code' in value) throw new Error(`no fair value: ${value.code}`);
  const terms = { cause: 'event', reason: 'called off', evidence: ['e'] } as const;
  const expected = value.payout;
  return {
    type: 'propose_void',
    marketId: market.id,
    ...terms,
    window,
    excluded,
    expected,
    ...changes,
  };
}

/** Cancels a market by two operators, and gives all events until it is. */
export function cancelTraded(
  world: World,
  market: Market,
  changes: Partial<ProposeVoid> = {},
): readonly Event[] {
  const events = [...world.do(voiding(world, market, changes)).events];
  const finish = () => {
    while (market.closing !== null) events.push(...world.pass(1).events);
  };
  finish();
  events.push(...world.pass(world.state.parameters.resolution.voidNoticeMs).events);
  events.push(...world.do(rule(market, 'upheld'), OTHER).events);
  finish();
  return events;
}

export interface Scene {
  readonly world: World;
  readonly market: Market;
}

/** A market of an hour in which somebody holds shares. */
export function active(
  options: MarketOptions = {},
  parameters: Parameters = PLAIN_PARAMETERS,
): Scene {
  const world = makeWorld({ parameters });
  world.open('p d t', 1000);
  const template = { durationSec: 3600, ...options.template };
  const market = world.market({ deposit: 100, ...options, template });
  world.place('t', market, 'buy 10 yes');
  return { world, market };
}

/** The same once it has locked: accounts may propose. */
export function locked(options: MarketOptions = {}, parameters?: Parameters): Scene {
  const scene = active(options, parameters);
  scene.world.pass(HOUR);
  return scene;
}

export function oracle(changes: object): MarketOptions {
  const base = { source: 'manual', params: {}, challengeSec: null, bond: null };
  return { template: { oracleConfig: { ...base, ...changes } as never } };
}

export function insuranceOf(world: World): bigint {
  return world.state.ledger.balance(world.state.insurance);
}

/** What an account's proposal needs at least: a hundredth of the escrow, rounded up, if that is more. */
export function leastBond(world: World, market: Market): Usdt {
  const part = (world.state.ledger.balance(market.escrow) + 99n) / 100n;
  return part > BOND ? usdt(part) : BOND;
}
