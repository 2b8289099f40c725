import { expect, it } from 'vitest';
import { asAccountId, asOrderId } from '../../kit/identity.ts';
import { Tallies } from '../../kit/tallies.ts';
import { Ledger } from '../../ledger/ledger.ts';
import { ACCOUNT_AMOUNTS, Account } from '../account.ts';
import { ClientOrderIds } from './client-order-ids.ts';

const DAY = 1000;

const ledger = new Ledger();
const tallies = new Tallies(ACCOUNT_AMOUNTS);

function makeAccount(): Account {
  const id = asAccountId(`acc_${ledger.slotNames.length}`);
  return new Account(ledger, tallies, { id, mode: 'live' });
}

it('[OR10] names are known for their time, by account, and listed oldest first', () => {
  const accounts = [makeAccount(), makeAccount(), makeAccount(), makeAccount()];
  const names = new ClientOrderIds();
  let naive: { at: number; account: number; name: string; id: number }[] = [];
  // At first names come back exactly when their time is over, later before it; pages are dropped on the way.
  for (let step = 1; step <= 6000; step += 1) {
    const atMs = step * 2;
    names.expire(atMs - DAY, Number.MAX_SAFE_INTEGER);
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
    account: accounts.findIndex(({ row }) => row === account),
    name: clientOrderId,
    id: orderId,
  }));
  expect(listed).toEqual(naive);
});

it('[OR10] names of any length and alphabet are told apart and come back as they were', () => {
  const account = makeAccount();
  const other = makeAccount();
  const names = new ClientOrderIds();
  const units = ['a', 'b', 'é', 'ÿ', 'Ā', '愛', '🜁', '\ud800', '\0'];
  const given: string[] = [];
  for (let number = 0; number < 6000; number += 1) {
    let name = '';
    for (let rest = number; name.length < 1 + (number % 60); rest = Math.floor(rest / 9) + number) {
      name += units[rest % 9]!;
    }
    if (given.includes(name)) continue;
    expect(names.get(account, name)).toBe(undefined);
    names.put(account, name, asOrderId(2 ** 40 + number), number);
    given.push(name);
  }
  expect(given.length).toBeGreaterThan(3000);
  for (const name of given) {
    expect(names.get(account, name)).toBeGreaterThanOrEqual(2 ** 40);
    expect(names.get(other, name)).toBe(undefined);
    expect(names.get(account, `${name}a`)).toBe(
      given.includes(`${name}a`) ? expect.anything() : undefined,
    );
  }
  expect([...names.entries()].map(({ clientOrderId }) => clientOrderId)).toEqual(given);
  names.expire(6000, Number.MAX_SAFE_INTEGER);
  expect(names.size).toBe(0);
  for (const name of given) expect(names.get(account, name)).toBe(undefined);
});

it('[OR10] names made to have one hash are known all the same', () => {
  const account = makeAccount();
  const names = new ClientOrderIds();
  const crowd = Array.from({ length: 300 }, (_, number) => collidingName(account.row, number));
  expect(new Set(crowd).size).toBe(300);
  for (const [number, name] of crowd.entries()) {
    expect(names.get(account, name)).toBe(undefined);
    names.put(account, name, asOrderId(number + 1), number);
    expect(() => names.put(account, name, asOrderId(number + 1), number)).toThrow('twice');
  }
  for (const [number, name] of crowd.entries()) expect(names.get(account, name)).toBe(number + 1);
  expect([...names.entries()].map(({ clientOrderId }) => clientOrderId)).toEqual(crowd);
  names.expire(99, Number.MAX_SAFE_INTEGER);
  for (const [number, name] of crowd.entries()) {
    expect(names.get(account, name)).toBe(number < 100 ? undefined : number + 1);
  }
  names.expire(299, Number.MAX_SAFE_INTEGER);
  expect(names.size).toBe(0);
});

/** Four characters: the last two undo what the first two did to the hash. */
function collidingName(row: number, number: number): string {
  const mixed = (sum: number, word: number): number => {
    const spread = ((sum + word) | 0) + (((sum + word) | 0) << 10);
    return spread ^ (spread >>> 6);
  };
  const before = mixed(mixed(0, row), 4);
  const word = (mixed(before, 0) - mixed(before, number)) | 0;
  return String.fromCharCode(number, 0, word & 0xffff, word >>> 16);
}

it('[OR10] a name that is still known cannot be put in again', () => {
  const account = makeAccount();
  const names = new ClientOrderIds();
  names.put(account, 'mine', asOrderId(1), 5);
  expect(() => names.put(account, 'mine', asOrderId(2), 6)).toThrow('twice');
});
