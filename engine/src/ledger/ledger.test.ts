// Double entry: balanced or refused, signed as the chart says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asOrderId, asTradeId } from '../kit/identity.ts';
import { EventList } from '../state/turn.ts';
import { Ledger } from './ledger.ts';
import { postingsOf } from './postings.ts';
import type { LedgerPosted } from './tape.ts';

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
    ledger.move(events, anna, bert, 4, 'reserve', asOrderId(1));
    ledger.move(events, anna, bert, 0, 'reserve', asOrderId(2));
    expect([ledger.balance(anna), ledger.balance(bert)]).toEqual([5n, 4n]);
    const [, moved, ...rest] = events.all();
    const accounts = ['user:anna:free', 'user:bert:free'];
    expect(moved).toMatchObject({ reference: 'order:1', accounts, amounts: [-4n, 4n] });
    expect(rest).toEqual([]);
    const third = asOrderId(3);
    expect(() => ledger.move(events, anna, bert, 6, 'reserve', third)).toThrow(/wrong sign/);
    const shares = ledger.openShares('user:anna:free:m_1.0', ledger.numberMarket(), 0);
    const mixed = (): void => ledger.move(events, bert, shares, 1, 'reserve', third);
    expect(mixed).toThrow(/between assets/);
    ledger.post(bert, 1n);
    expect(() => ledger.move(events, anna, bert, 1, 'reserve', third)).toThrow(/inside another/);
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

  it('[LG3] only an empty account is closed', () => {
    const { ledger, anna, bank, events } = open();
    ledger.post(bank, -1n);
    ledger.post(anna, 1n);
    ledger.commit(events, 'deposit', 'x');
    expect(() => ledger.close(anna)).toThrow(/with a balance/);
    const spare = ledger.openUsdt('user:cleo:free');
    ledger.close(spare);
    expect(() => ledger.name(spare)).toThrow(/no ledger account/);
    expect([...ledger.accounts()].map((account) => account.name)).not.toContain('user:cleo:free');
  });

  it('[LG4] an entry says what it belongs to', () => {
    const { ledger, bank, anna, bert, events } = open();
    const deposit = (): void => {
      ledger.post(bank, -9n);
      ledger.post(anna, 9n);
    };
    deposit();
    ledger.commit(events, 'deposit', 'order:1');
    const ids = [1, 999, 1000, 999_999_999, 12_345_678_901];
    for (const [index, id] of ids.entries()) {
      deposit();
      ledger.commitTrade(events, 'house_top_up', asTradeId(id));
      ledger.move(events, anna, bert, index + 1, 'reserve', asOrderId(id));
    }
    const [outside, ...numbered] = entriesOf(events);
    expect(outside).toMatchObject({ referenceKind: 'text', referenceNumber: 0 });
    expect(outside!.reference).toBe('order:1');
    expect(numbered.map(({ reference }) => reference)).toEqual(
      ids.flatMap((id) => [`trade:${id}`, `order:${id}`]),
    );
    expect(numbered.map(({ amounts }) => amounts[1])).toEqual(
      ids.flatMap((_, index) => [9n, BigInt(index) + 1n]),
    );
    expect(numbered.at(-1)).toMatchObject({
      referenceKind: 'order',
      referenceNumber: 12_345_678_901,
    });
  });

  it('[LG4] entries of any size and number stay what they were, amounts of 63 bits included', () => {
    const ledger = new Ledger();
    const bank = ledger.openUsdt('external:bank', 'contra');
    const users = Array.from({ length: 3000 }, (_, index) =>
      ledger.openUsdt(`user:u${index}:free`),
    );
    const events = new EventList();
    const expected: object[] = [];
    const enter = (
      postings: readonly (readonly [number, bigint])[],
      reason: 'deposit' | 'faucet',
    ) => {
      for (const [user, amount] of postings) {
        ledger.post(bank, -amount);
        ledger.post(users[user]!, amount);
      }
      ledger.commit(events, reason, 'x');
      expected.push({
        type: 'ledger_posted',
        reason,
        reference: 'x',
        accounts: postings.flatMap(([user]) => ['external:bank', `user:u${user}:free`]),
        amounts: postings.flatMap(([, amount]) => [-amount, amount]),
      });
    };
    for (let index = 0; index < 3000; index += 1) enter([[index, BigInt(index) + 1n]], 'deposit');
    enter(
      Array.from({ length: 3000 }, (_, user) => [user, 7n] as const),
      'faucet',
    );
    for (let index = 0; index < 3000; index += 1) {
      enter(
        [
          [index, (1n << 40n) + BigInt(index)],
          [0, 1n],
        ],
        'faucet',
      );
    }
    enter([[1, 1n << 61n]], 'deposit');
    const entries = entriesOf(events);
    expect(entries.map((entry) => entry.toJSON())).toEqual(expected);
    for (const entry of entries) {
      for (let index = 0; index < entry.count; index += 1) {
        expect(entry.amountSafeAt(index)).toBe(Number(entry.amountAt(index)));
        const words = [entry.highAt(index), entry.lowAt(index) >>> 0].map(BigInt);
        expect((words[0]! << 32n) + words[1]!).toBe(entry.amountAt(index));
      }
    }
  });

  it('[LG4] a slot that serves again leaves the entries of its former account alone', () => {
    const { ledger, bank, events } = open();
    const names = new Set<unknown>();
    const slots = new Set<number>();
    const accounts: string[] = [];
    for (let index = 0; index < 20_000; index += 1) {
      const name = `user:u${index}:free`;
      const user = ledger.openUsdt(name);
      for (const amount of [1n, -1n]) {
        ledger.post(user, amount);
        ledger.post(bank, -amount);
        ledger.commit(events, 'deposit', 'x');
        accounts.push(name);
      }
      ledger.close(user);
      slots.add(user);
      names.add(ledger.slotNames);
    }
    expect(slots.size).toBeLessThan(3000);
    expect(names.size).toBeGreaterThan(5);
    expect(names.size).toBeLessThanOrEqual(20_000 / 1024 + 1);
    expect(entriesOf(events).map((entry) => entry.accountAt(0))).toEqual(accounts);
    const read = new Map<unknown, Map<number, string>>();
    for (const entry of entriesOf(events)) {
      const known = read.get(entry.names) ?? new Map<number, string>();
      read.set(entry.names, known);
      const account = entry.accountAt(0);
      expect(known.get(entry.slotAt(0)) ?? account).toBe(account);
      known.set(entry.slotAt(0), account);
    }
    expect([...ledger.accounts()].map(({ name }) => name)).toEqual([
      'external:bank',
      'user:anna:free',
      'user:bert:free',
    ]);
  });
});

function entriesOf(events: EventList): LedgerPosted[] {
  return events.all().filter((event) => event.type === 'ledger_posted');
}
