// Snapshots: the same state gives the same lines, and lines give back the same state and future.

import { describe, expect, it } from 'vitest';
import {
  accountName,
  makeWorld,
  OPERATOR,
  orderOf,
  PLAIN_PARAMETERS,
  START_MS,
  type World,
} from '../../test/world.ts';
import { apply } from '../engine.ts';
import { stateHash } from '../hash.ts';
import { checkAll } from '../invariants.ts';
import { decodeSnapshot } from './decode.ts';
import { encodeSnapshot } from './encode.ts';
import { SNAPSHOT_FORMAT } from './record.ts';

/** A lane with something of everything: pools, books, positions, bonds, timers, memories. */
function busyWorld(): World {
  const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, chunkMax: 2 } });
  world.open('anna bert cleo');
  world.open('sub_one', 100, 'anna');
  const binary = world.market({ deposit: 1000, creator: 'bert' });
  const multi = world.market({ deposit: 500, outcomes: 4, creator: 'bert' });
  const template = { durationSec: 1 };
  const disputed = world.market({ deposit: 100, creator: 'cleo', template });
  const closing = world.market({ deposit: 100, creator: 'cleo' });
  world.place('anna', binary, 'buy 100 yes', { clientOrderId: 'mine-1' });
  world.place('anna', binary, 'buy 20 yes @ 0.4 gtd', { expiresAtMs: START_MS + 90_000 });
  world.place('sub_one', binary, 'buy 20 yes @ 0.4');
  world.place('cleo', binary, 'sell 0.01 no @ 0.9', { clientOrderId: 'broke' });
  world.place('cleo', multi, 'buy 50 o1');
  world.place('cleo', multi, 'sell 10 o1 @ 0.9');
  world.place('anna', multi, 'buy 10 o2 @ 0.1');
  const caps = { tier: 'self_serve', keyId: 'k1', orderMax: null, dayMax: null };
  world.place('anna', binary, 'buy 3 no @ 0.2', { caps });
  world.pass(1000);
  world.do({
    type: 'propose_resolution',
    marketId: disputed.id,
    proposerId: accountName('anna'),
    result: { kind: 'outcome', outcomeId: 'yes' },
    evidence: ['https://example.org'],
    bond: 20_000_000n as never,
  });
  world.do({
    type: 'dispute_resolution',
    marketId: disputed.id,
    accountId: accountName('bert'),
    evidence: ['https://example.org/2'],
    bond: 20_000_000n as never,
  });
  for (const price of ['0.1', '0.2', '0.3']) world.place('anna', closing, `buy 5 yes @ ${price}`);
  world.do({
    type: 'heartbeat',
    accountId: accountName('cleo'),
    timeoutMs: 60_000,
    marketId: null,
  });
  world.run({
    ...orderOf('anna', binary, 'buy 1 no'),
    key: { scope: 's', key: 'k', bodyHash: 'h' },
  } as never);
  world.do({ type: 'faucet', accountId: accountName('anna'), keyId: 'k1' });
  world.do({ type: 'halt_market', marketId: multi.id, untilMs: START_MS + 70_000, reason: 'x' });
  world.pass(61_000);
  world.do({
    type: 'mock_oracle',
    accountId: accountName('cleo'),
    marketId: closing.id,
    winningOutcomeId: 'no',
  });
  return world;
}

const restored = (world: World) => decodeSnapshot(encodeSnapshot(world.state));

describe('snapshot', () => {
  it('[SN2] restores to the same hash and passes every check', () => {
    const world = busyWorld();
    const state = restored(world);
    expect(stateHash(state)).toBe(stateHash(world.state));
    checkAll(state);
  });

  it('[SN2] has the same future: timers, queues, memories and money', () => {
    const world = busyWorld();
    const state = restored(world);
    const market = [...world.state.markets.values()].find((one) => one.outcomes.length === 2)!;
    const bodies = [
      { type: 'tick' },
      orderOf('anna', market, 'sell 50 yes'),
      orderOf('cleo', market, 'buy 40 no @ 0.65'),
      { ...orderOf('anna', market, 'buy 1 no'), key: { scope: 's', key: 'k', bodyHash: 'h' } },
      { ...orderOf('anna', market, 'buy 1 no'), clientOrderId: 'mine-1' },
      { type: 'tick' },
      { type: 'tick' },
    ];
    for (const body of bodies) {
      world.nowMs += 10_000;
      const seq = world.state.seq + 1;
      const ours = world.run(body as never);
      const actor = { kind: 'operator', name: 'test', reason: 'test' };
      const theirs = apply(state, { seq, atMs: world.nowMs, actor, ...body } as never);
      expect(theirs).toEqual(ours);
      expect(stateHash(state)).toBe(stateHash(world.state));
    }
    checkAll(state);
  });

  it('[SN2][OB5] a restored sell that holds back every share is released', () => {
    const world = makeWorld();
    world.open('anna bert');
    const market = world.market({ deposit: 0, creator: 'bert' });
    world.mint('anna', market, 10);
    const { id } = world.place('anna', market, 'sell 10 yes @ 0.9');
    const state = restored(world);
    const cancel = { type: 'cancel_order', accountId: accountName('anna'), orderId: id } as const;
    const ours = world.run(cancel);
    const header = { seq: ours.seq, atMs: ours.atMs, actor: OPERATOR };
    expect(apply(state, { ...header, ...cancel })).toEqual(ours);
    expect(stateHash(state)).toBe(stateHash(world.state));
  });

  it('[SN2] refuses what is cut short, continued, doubled or of another format', () => {
    const lines = [...encodeSnapshot(busyWorld().state)];
    expect(() => decodeSnapshot(lines.slice(0, -1))).toThrow(/cut short/);
    expect(() => decodeSnapshot([...lines, lines[1]!])).toThrow(/after its end/);
    expect(() => decodeSnapshot([lines[0]!, ...lines])).toThrow(/one header/);
    expect(() => decodeSnapshot(lines.filter((_, index) => index !== 5))).toThrow();
    const other = lines.map((line) => line.replace(`"format":${SNAPSHOT_FORMAT}`, '"format":99'));
    expect(() => decodeSnapshot(other)).toThrow(/format 99/);
    expect(() => decodeSnapshot([])).toThrow(/cut short/);
  });

  it('[SN1] equal states have equal hashes however they came about', () => {
    const forth = makeWorld();
    forth.open('anna bert', 0);
    const back = makeWorld();
    back.open('bert anna', 0);
    expect(stateHash(back.state)).toBe(stateHash(forth.state));
    forth.deposit('anna', 100);
    forth.deposit('bert', 100);
    // A detour that is undone leaves no trace but the numbers it used up.
    const market = forth.market({ deposit: 0, creator: 'anna' });
    const straight = forth.place('bert', market, 'buy 5 yes @ 0.4');
    expect(straight.refusal).toBeNull();
    const before = stateHash(forth.state);
    forth.deposit('bert', 5);
    expect(stateHash(forth.state)).not.toBe(before);
  });

  it('[SN1] a single µ, lot or millisecond changes the hash', () => {
    const world = busyWorld();
    const hash = stateHash(world.state);
    const order = [...world.state.orders.values()][0]!;
    order.restedAfterMs += 1;
    expect(stateHash(world.state)).not.toBe(hash);
    order.restedAfterMs -= 1;
    world.account('anna').staked += 1n;
    expect(stateHash(world.state)).not.toBe(hash);
    world.account('anna').staked -= 1n;
    expect(stateHash(world.state)).toBe(hash);
  });

  it('[CM10] replaying the commands gives the same events and hash', () => {
    expect(stateHash(busyWorld().state)).toBe(stateHash(busyWorld().state));
  });
});
