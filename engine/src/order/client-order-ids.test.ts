import { expect, it } from 'vitest';
import { ACCOUNT_AMOUNTS, Account } from '../account/account.ts';
import { asAccountId, asOrderId } from '../identity.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Tallies } from '../tallies.ts';
import { ClientOrderIds } from './client-order-ids.ts';

const DAY = 1000;

it('[OR10] names are known for their time, by account, and listed oldest first', () => {
  const ledger = new Ledger();
  const tallies = new Tallies(ACCOUNT_AMOUNTS);
  const accounts = ['a', 'b', 'c', 'd'].map(
    (name) => new Account(ledger, tallies, { id: asAccountId(`acc_${name}`), mode: 'live' }),
  );
  const names = new ClientOrderIds();
  let naive: { at: number; account: number; name: string; id: number }[] = [];
  // At first names come back exactly when their time is over, later before it; lists are shortened on the way.
  for (let step = 1; step <= 6000; step += 1) {
    const atMs = step * 2;
    names.expire(atMs - DAY);
    naive = naive.filter(({ at }) => at > atMs - DAY);
    const account = step % 4;
    const name = `n${step % (step < 3000 ? 125 : 124)}`;
    const known = naive.find((one) => one.account === account && one.name === name);
    expect(names.get(accounts[account]!, name)).toBe(known?.id);
    if (known !== undefined) continue;
    names.put(accounts[account]!, name, asOrderId(step), atMs);
    naive.push({ at: atMs, account, name, id: step });
  }
  expect(names.size).toBe(naive.length);
  const listed = [...names.entries()].map(({ account, clientOrderId, orderId, atMs }) => ({
    at: atMs,
    account: accounts.indexOf(account),
    name: clientOrderId,
    id: orderId,
  }));
  expect(listed).toEqual(naive);
});

it('[OR10] a name that is still known cannot be put in again', () => {
  const account = new Account(new Ledger(), new Tallies(ACCOUNT_AMOUNTS), {
    id: asAccountId('acc_a'),
    mode: 'live',
  });
  const names = new ClientOrderIds();
  names.put(account, 'mine', asOrderId(1), 5);
  expect(() => names.put(account, 'mine', asOrderId(2), 6)).toThrow('twice');
});
