import { expect, it } from 'vitest';
import { type Asker, type Connection, TurnGate } from './turn-gate.ts';

/** Fills a gate of one running and three waiting; the returned function lets one end. */
function busyGate() {
  const gate = new TurnGate({ running: 1, waiting: 3, perAddress: 4 });
  const served: string[] = [];
  const ends: (() => void)[] = [];
  const ask = async (name: string, by: Asker): Promise<void> => {
    const work = (): Promise<true> => {
      served.push(name);
      return new Promise((resolve) => ends.push(() => resolve(true)));
    };
    if ((await gate.run(by, work)) === null) served.push(`${name} refused`);
  };
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { ask, served, endOne };
}

const at = (
  address: string,
  connection: Connection = { destroyed: false, readableEnded: false },
): Asker => {
  return { address, holder: connection, connection };
};

it('[PW9] a full queue drops the latest request of the address with the most', async () => {
  const { ask, served, endOne } = busyGate();
  for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name, at('192.0.2.1'));
  void ask('other', at('192.0.2.2'));
  void ask('another', at('192.0.2.3'));
  void ask('third', at('192.0.2.4'));
  for (let count = 0; count < 5; count += 1) await endOne();
  const done = served.filter((name) => !name.endsWith('refused'));
  expect(done).toEqual(['a', 'b', 'other', 'another']);
  expect(served.filter((name) => name.endsWith('refused')).sort()).toEqual([
    'c refused',
    'd refused',
    'e refused',
    'third refused',
  ]);
});

it('[PW9] a closed connection has no place and no turn', async () => {
  const { ask, served, endOne } = busyGate();
  const left = { destroyed: false, readableEnded: false };
  void ask('a', at('192.0.2.1'));
  void ask('left', at('192.0.2.1', left));
  void ask('b', at('192.0.2.1'));
  void ask('c', at('192.0.2.1'));
  left.destroyed = true;
  void ask('d', at('192.0.2.1'));
  await endOne();
  await endOne();
  await endOne();
  expect(served).toContain('left refused');
  expect(served.filter((name) => name !== 'left refused')).toEqual(['a', 'b', 'c', 'd']);
  const later = { destroyed: false, readableEnded: false };
  void ask('later', at('192.0.2.1', later));
  later.destroyed = true;
  await endOne();
  await endOne();
  expect(served.slice(-1)).toEqual(['later refused']);
});

it('[PW9] a connection that the client has closed, or half of it, loses its place first and has a turn otherwise', async () => {
  const { ask, served, endOne } = busyGate();
  const half = { destroyed: false, readableEnded: true };
  void ask('a', at('192.0.2.1'));
  void ask('half', at('192.0.2.1', half));
  await endOne();
  expect(served).toEqual(['a', 'half']);
  for (const name of ['b', 'c']) void ask(name, at('192.0.2.1'));
  void ask('half again', at('192.0.2.2', { ...half }));
  void ask('d', at('192.0.2.1'));
  for (let count = 0; count < 4; count += 1) await endOne();
  expect(served.filter((name) => name !== 'half again refused')).toEqual([
    'a',
    'half',
    'b',
    'c',
    'd',
  ]);
  expect(served).toContain('half again refused');
});
