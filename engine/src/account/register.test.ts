// A demo account becomes a user's: nothing in it changes but whose it is.
import { usdt } from '@sibyl/money';
import { expect, it } from 'vitest';
import { accountName, makeWorld } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Actor } from '../state/command.ts';
import type { RejectCode } from '../state/reject.ts';

const refusal = (code: RejectCode) => ({ ok: false, rejection: { code } });

const register = (name: string, referrer: string | null = null) =>
  ({
    type: 'register_demo',
    accountId: accountName(name),
    referrerId: referrer === null ? null : accountName(referrer),
  }) as const;

function worldWithDemo() {
  const world = makeWorld();
  world.open('anna bert');
  const open = { type: 'open_account', parentId: null, referrerId: null } as const;
  world.do({ ...open, accountId: accountName('dora'), mode: 'demo' });
  world.deposit('dora', 1000);
  return world;
}

it('[AC13] all that is in a demo account stays when its visitor registers', () => {
  const world = worldWithDemo();
  const dora = accountName('dora');
  const market = world.market({ deposit: 1000, creator: 'bert' });
  world.place('dora', market, 'buy 300 yes');
  world.place('dora', market, 'sell 50 yes @ 0.99');
  const none = { day: null, week: null, month: null };
  const limits = { deposit: none, loss: { ...none, day: usdt(900_000_000n) } };
  world.do({ type: 'set_own_limits', accountId: dora, limits });
  world.do({ type: 'heartbeat', accountId: dora, marketId: null, timeoutMs: 60_000 });
  world.do({ type: 'faucet', accountId: dora, keyId: null });
  world.do({ type: 'freeze_account', accountId: dora, frozen: true });
  world.do({ type: 'freeze_account', accountId: dora, frozen: false });
  world.place('dora', market, 'sell 20 yes @ 0.98');
  const before = [...encodeSnapshot(world.state)];
  const { events } = world.do(register('dora', 'anna'));
  expect(events).toEqual([
    { type: 'demo_registered', accountId: dora, referrerId: accountName('anna') },
  ]);
  const account = world.account('dora');
  expect([account.mode, account.referrerId]).toEqual(['sandbox', accountName('anna')]);
  // Of the whole state two fields of one record are new, besides the number of the command.
  const changed = [...encodeSnapshot(world.state)].filter(
    (line, index) => line !== before[index] && line.includes('"acc_dora"'),
  );
  expect(changed).toHaveLength(1);
  checkAll(world.state);
  const restored = decodeSnapshot(encodeSnapshot(world.state));
  expect([...encodeSnapshot(restored)]).toEqual([...encodeSnapshot(world.state)]);
  // The faucet's hour goes on, and so does the heartbeat.
  expect(world.run({ type: 'faucet', accountId: dora, keyId: null }).answer).toMatchObject(
    refusal('RATE_LIMITED'),
  );
  world.pass(60_000);
  expect(world.account('dora').openOrders).toBe(0);
});

it('[AC13] fees from then on have the referrer, and earlier ones have not', () => {
  const world = worldWithDemo();
  const market = world.market({ deposit: 1000, creator: 'bert' });
  world.place('dora', market, 'buy 100 yes');
  const referrers = (): number =>
    [...market.unvested.values()].filter(({ actor }) => actor === 'referrer').length;
  expect(referrers()).toBe(0);
  world.do(register('dora', 'anna'));
  world.place('dora', market, 'buy 100 yes');
  expect(referrers()).toBe(1);
  checkAll(world.state);
});

it('[AC13] a frozen account stays frozen', () => {
  const world = worldWithDemo();
  world.do({ type: 'freeze_account', accountId: accountName('dora'), frozen: true });
  world.do(register('dora'));
  expect(world.account('dora').frozen).toBe(true);
});

it('[AC13] once is enough, and it is for operators and demo accounts alone', () => {
  const world = worldWithDemo();
  const own: Actor = { kind: 'account', accountId: accountName('dora'), keyId: null };
  const said = (command: Parameters<typeof world.run>[0], actor?: Actor) =>
    world.run(command, actor).answer;
  expect(said(register('dora'), own)).toMatchObject(refusal('NOT_FOUND'));
  for (const referrer of ['dora', 'nobody']) {
    expect(said(register('dora', referrer))).toMatchObject(refusal('NOT_FOUND'));
  }
  expect(said(register('nobody'))).toMatchObject(refusal('NOT_FOUND'));
  world.do(register('dora', 'anna'));
  expect(world.do(register('dora', 'anna')).events).toEqual([]);
  // A second registration with it changes nothing.
  expect(said(register('dora', 'bert'))).toMatchObject(refusal('STATE_CONFLICT'));
  expect(said(register('dora'))).toMatchObject(refusal('STATE_CONFLICT'));
  const open = { type: 'open_account', referrerId: null } as const;
  world.do({ ...open, accountId: accountName('robot'), mode: 'bot', parentId: null });
  world.do({ ...open, accountId: accountName('emil'), mode: 'demo', parentId: null });
  const parentId = accountName('emil');
  world.do({ ...open, accountId: accountName('sub_one'), mode: 'demo', parentId });
  for (const name of ['robot', 'emil', 'sub_one']) {
    expect(said(register(name))).toMatchObject(refusal('STATE_CONFLICT'));
  }
  const live = makeWorld({ lane: 'live' });
  live.open('anna');
  expect(live.run(register('anna')).answer).toMatchObject(refusal('SANDBOX_ONLY'));
});
