// Accounts that trade on a lane of the operator plane, and time that passes for it.
import { type AccountId, asAccountId, type LaneName, type MarketId } from '@sibyl/engine';
import { lots, usdt } from '@sibyl/money';
import { expect } from 'vitest';
import { type OperatorHarness, trader } from './harness.ts';

const HOUR_MS = 3_600_000;

export const freeOf = (plane: OperatorHarness, accountId: AccountId): Promise<bigint> =>
  plane.lane.read((state) => state.ledger.balance(state.accounts.get(accountId)!.free));

export async function person(
  plane: OperatorHarness,
  name: string,
  lane: LaneName = 'sandbox',
): Promise<AccountId> {
  const accountId = asAccountId(`acc_${name}`);
  const who = { accountId, mode: lane, parentId: null, referrerId: null } as const;
  await plane.submit({ type: 'open_account', ...who });
  const amount = usdt(10_000_000_000n);
  await plane.submit(
    lane === 'sandbox'
      ? { type: 'faucet', accountId, keyId: null }
      : { type: 'deposit', accountId, amount, reference: `wire of ${name}` },
  );
  return accountId;
}

/** At the market, in shares of yes; what the account paid into the market, without what went on to its creator. */
export async function trade(
  plane: OperatorHarness,
  accountId: AccountId,
  marketId: MarketId,
  side: 'buy' | 'sell',
  shares: number,
): Promise<bigint> {
  const before = (await freeOf(plane, accountId)) + (await freeOf(plane, trader));
  const { answer } = await plane.submit({
    type: 'place_order',
    accountId,
    marketId,
    outcomeId: 'yes',
    side,
    orderType: 'market',
    price: null,
    lots: lots(100 * shares),
    timeInForce: 'fok',
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
  });
  expect(
    answer.ok,
    JSON.stringify(answer, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)),
  ).toBe(true);
  return before - (await freeOf(plane, accountId)) - (await freeOf(plane, trader));
}

/** Time passes in steps of an hour at most, and the lane does by itself what is due. */
export async function pass(plane: OperatorHarness, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= HOUR_MS) {
    plane.clock.advance(Math.min(left, HOUR_MS));
    for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}
