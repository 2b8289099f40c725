// Double entry: balanced or refused, signed as the chart says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventList } from '../turn.ts';
import { Ledger } from './ledger.ts';
import { postingsOf } from './postings.ts';

function open() {
  const ledger = new Ledger();
  return {
    ledger,
    bank: ledger.openUsdt('external:bank', 'contra'),
    anna: ledger.openUsdt('user:anna:free'),
    bert: ledger.openUsdt('user:bert:free'),
    events: new EventList(),
  };
}

describe('ledger', () => {
  it('[LG2] an entry that does not balance stops, whichever way and however far it is off', () => {
    for (const off of [-1n, 1n, 1n << 32n, -(1n << 32n), 1n << 60n]) {
      const { ledger, bank, anna, events } = open();
      ledger.post(bank, -5n);
      ledger.post(anna, 5n + off);
      expect(() => ledger.commit(events, 'deposit', 'x')).toThrow(/unbalanced entry deposit x/);
    }
  });

  it('[LG2] shares of one outcome do not balance shares of another', () => {
    const { ledger, events } = open();
    const market = ledger.numberMarket();
    const yes = ledger.openShares('user:anna:free:m_1.0', market, 0);
    const issue = ledger.openShares('market:m_1:issue:m_1.1', market, 1, 'contra');
    ledger.post(yes, 5n);
    ledger.post(issue, -5n);
    expect(() => ledger.commit(events, 'mint', 'm_1')).toThrow(/unbalanced/);
  });

  it('[LG2] shares of one market do not balance shares of another', () => {
    const { ledger, events } = open();
    const first = ledger.openShares('user:anna:free:m_1.0', ledger.numberMarket(), 0);
    const second = ledger.openShares('market:m_2:issue:m_2.0', ledger.numberMarket(), 0, 'contra');
    ledger.post(first, 5n);
    ledger.post(second, -5n);
    expect(() => ledger.commit(events, 'mint', 'm_1')).toThrow(/spans two markets/);
  });

  it('[LG3] an account never gets the wrong sign', () => {
    const { ledger, anna, bert, bank, events } = open();
    ledger.post(anna, -1n);
    ledger.post(bert, 1n);
    expect(() => ledger.commit(events, 'transfer', 'x')).toThrow(/wrong sign: user:anna:free/);
    const other = open();
    other.ledger.post(other.bank, 1n);
    expect(bank).toBe(other.bank);
    expect(() => other.ledger.commit(events, 'transfer', 'x')).toThrow(/unbalanced|wrong sign/);
  });

  it('[LG3] balances stop short of where 64 bits would wrap', () => {
    const { ledger, anna, bank, events } = open();
    const half = 1n << 61n;
    for (const amount of [half, half - 1n]) {
      ledger.post(bank, -amount);
      ledger.post(anna, amount);
      ledger.commit(events, 'deposit', 'x');
    }
    ledger.post(bank, -half);
    ledger.post(anna, half);
    expect(() => ledger.commit(events, 'deposit', 'x')).toThrow(/wrong sign/);
  });

  it('[LG4] the postings of the events reproduce every balance', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.bigInt(0n, 1000n))), (moves) => {
        const { ledger, bank, events } = open();
        const users = [0, 1, 2, 3].map((index) => ledger.openUsdt(`user:u${index}:free`));
        for (const user of users) {
          ledger.post(bank, -1000n);
          ledger.post(user, 1000n);
          ledger.commit(events, 'deposit', 'x');
        }
        for (const [from, to, amount] of moves) {
          if (from === to || ledger.balance(users[from]!) < amount) continue;
          ledger.post(users[from]!, -amount);
          ledger.post(users[to]!, amount);
          ledger.commit(events, 'transfer', 'x');
        }
        const replayed = new Map<string, bigint>();
        for (const event of events.all()) {
          if (event.type !== 'ledger_posted') continue;
          for (const { account, amount } of postingsOf(event)) {
            replayed.set(account, (replayed.get(account) ?? 0n) + amount);
          }
        }
        for (const { name, balance } of ledger.accounts()) {
          expect(replayed.get(name) ?? 0n).toBe(balance);
        }
      }),
    );
  });

  it('[LG2] a move is an entry of its two postings', () => {
    const { ledger, bank, anna, bert, events } = open();
    ledger.post(bank, -9n);
    ledger.post(anna, 9n);
    ledger.commit(events, 'deposit', 'x');
    ledger.move(events, anna, bert, 4, 'reserve', 'order:1', ['user:anna:free', 'user:bert:free']);
    ledger.move(events, anna, bert, 0, 'reserve', 'order:2', ['user:anna:free', 'user:bert:free']);
    expect([ledger.balance(anna), ledger.balance(bert)]).toEqual([5n, 4n]);
    const [, moved, ...rest] = events.all();
    expect(moved).toMatchObject({ reference: 'order:1', amounts: [-4n, 4n] });
    expect(rest).toEqual([]);
    const names = ['user:anna:free', 'user:bert:free'];
    expect(() => ledger.move(events, anna, bert, 6, 'reserve', 'x', names)).toThrow(/wrong sign/);
    const shares = ledger.openShares('user:anna:free:m_1.0', ledger.numberMarket(), 0);
    const mixed = (): void => ledger.move(events, bert, shares, 1, 'reserve', 'x', names);
    expect(mixed).toThrow(/between assets/);
  });

  it('[LG2] amounts of one order are posted like any others, up to what an order can come to', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000_000_000 }), (amount) => {
        const { ledger, bank, anna, events } = open();
        ledger.postMicro(bank, -amount);
        ledger.postMicro(anna, amount);
        ledger.postMicro(anna, 0);
        ledger.commit(events, 'deposit', 'x');
        expect(ledger.balance(anna)).toBe(BigInt(amount));
        expect(events.all()).toMatchObject([{ amounts: [-BigInt(amount), BigInt(amount)] }]);
      }),
    );
    const { ledger, anna } = open();
    expect(() => ledger.postMicro(anna, 2 ** 52)).toThrow(/beyond what an order/);
  });

  it('[LG3] only an empty account is closed, and its slot serves again', () => {
    const { ledger, anna, bank, events } = open();
    ledger.post(bank, -1n);
    ledger.post(anna, 1n);
    ledger.commit(events, 'deposit', 'x');
    expect(() => ledger.close(anna)).toThrow(/with a balance/);
    const spare = ledger.openUsdt('user:cleo:free');
    ledger.close(spare);
    expect(ledger.openUsdt('user:dora:free')).toBe(spare);
    expect([...ledger.accounts()].map((account) => account.name)).not.toContain('user:cleo:free');
  });
});
