// What an operator changes of a market: its tick, its clarifications, its settlement metadata.
import { checkOperator, isWhole } from './authority.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { DONE, Refusals } from './refusal.ts';
import { findAccount, findMarket, isFinal, type World } from './world.ts';

export function setTickSize(world: World, command: CommandOf<'set_tick_size'>): PlainAnswer {
  const { marketId, tickPips } = command;
  const refusals = new Refusals(world);
  const market = findMarket(world, marketId);
  const isTick = isWhole(tickPips) && tickPips >= 1 && tickPips <= 1000 && 10_000 % tickPips === 0;
  const isFiner =
    market === undefined || (tickPips < market.tickPips && market.tickPips % tickPips === 0);
  if (!isTick || !isFiner) refusals.field('tick_size', 'a finer tick that divides the one before');
  checkOperator(command.actor, refusals);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else if (!['scheduled', 'active'].includes(market.status) || market.closing !== null)
    refusals.add('STATE_CONFLICT');
  if (refusals.any || market === undefined) return refusals.answer();
  const fromPips = market.tickPips;
  market.tickPips = tickPips;
  world.events.push({ type: 'tick_size_changed', marketId, fromPips, toPips: tickPips });
  return DONE;
}

export function clarifyMarket(world: World, command: CommandOf<'clarify_market'>): PlainAnswer {
  const { marketId, text } = command;
  const refusals = new Refusals(world);
  if (text.trim() === '' || text.length > 2000) refusals.field('text', '1 to 2000 characters');
  checkOperator(command.actor, refusals);
  const market = findMarket(world, marketId);
  if (market === undefined) refusals.add('MARKET_NOT_FOUND');
  else if (isFinal(market) || market.clarifications === 20) refusals.add('STATE_CONFLICT');
  if (refusals.any || market === undefined) return refusals.answer();
  market.clarifications += 1;
  world.events.push({ type: 'market_clarified', marketId, text });
  return DONE;
}

export function attachChainData(
  world: World,
  command: CommandOf<'attach_chain_data'>,
): PlainAnswer {
  const { record, data } = command;
  const refusals = new Refusals(world);
  if (data !== null && !(data.startsWith('{') && data.endsWith('}') && data.length <= 4096))
    refusals.field('chain_data', 'an object as JSON, or null');
  checkOperator(command.actor, refusals);
  if (record.kind === 'market' && findMarket(world, record.id) === undefined)
    refusals.add('MARKET_NOT_FOUND');
  if (record.kind === 'account' && findAccount(world, record.id) === undefined)
    refusals.add('NOT_FOUND');
  if (record.kind === 'trade' && !(record.id >= 1 && record.id <= world.tradeCount))
    refusals.add('NOT_FOUND');
  if (refusals.any) return refusals.answer();
  world.events.push({ type: 'chain_data_attached', record, data });
  return DONE;
}
