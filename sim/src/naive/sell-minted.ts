// Mint complete sets and sell one outcome of them whole, or do nothing.
import { convertSets } from './convert.ts';
import { placeOrder } from './place.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { Refusals } from './refusal.ts';
import type { World } from './world.ts';

export function sellMinted(world: World, command: CommandOf<'sell_minted'>): PlainAnswer {
  const { accountId, order, seq, atMs, actor } = command;
  const refusals = new Refusals(world);
  if (order.accountId !== accountId) refusals.field('order', 'of the account');
  if (order.side !== 'sell') refusals.field('side', 'sell');
  if (order.timeInForce !== 'fok') refusals.field('time_in_force', 'fok');
  if (order.reduceOnly) refusals.field('reduce_only', 'false');
  if (order.caps !== null || order.grant !== null) refusals.field('mint', 'neither caps nor grant');
  if (refusals.any) return refusals.answer();
  const { marketId, lots, caps, grant } = order;
  const sets = { type: 'mint_sets', accountId, marketId, lots, caps, grant } as const;
  const mint = () => convertSets(world, { seq, atMs, actor, ...sets });
  return placeOrder(world, actor, order, false, mint);
}
