// The way of orders is chosen at the start: by the setting, and by what Node's connections turn out to be.
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { examine } from '@sibyl/server';
import { describe, expect, it } from 'vitest';
import { banner } from '../../src/banner.ts';
import type { Log, LogFields } from '../../src/gateway/log.ts';
import { chooseWay, type OrderWay } from '../../src/http/order-path.ts';
import { readConfig } from '../../src/settings/config.ts';
import { temporaryFolder } from '../server-process.ts';
import { openHarness } from './harness.ts';
import { orderText, RawClient } from './raw-client.ts';

/** A connection's own functions, which have no public name. */
async function handlePrototype(): Promise<object> {
  const server = createServer().listen({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = connect({ host: '127.0.0.1', port });
  const socket = await accepted;
  let prototype: object = Reflect.get(socket, '_handle');
  while (!Object.hasOwn(prototype, 'useUserBuffer')) prototype = Object.getPrototypeOf(prototype);
  for (const one of [client, socket]) one.destroy();
  server.close();
  return prototype;
}

/** Node as it might be one day, while `act` goes on. */
async function withHandle<T>(planted: unknown, act: () => Promise<T>): Promise<T> {
  const prototype = await handlePrototype();
  const before = Object.getOwnPropertyDescriptor(prototype, 'useUserBuffer')!;
  Object.defineProperty(prototype, 'useUserBuffer', { ...before, value: planted });
  try {
    return await act();
  } finally {
    Object.defineProperty(prototype, 'useUserBuffer', before);
  }
}

const plants: readonly (readonly [name: string, planted: unknown, reason: RegExp])[] = [
  ['is missing', undefined, /not as this needs them/],
  ['does nothing', () => undefined, /lost|otherwise than they were sent/],
  [
    'throws',
    () => {
      throw new Error('no such thing');
    },
    /lost|ECONNRESET/,
  ],
];

type Line = readonly [level: string, message: string, fields: LogFields | undefined];

function listening(): { readonly lines: Line[]; readonly log: Log } {
  const lines: Line[] = [];
  const log: Log = {
    isEnabled: () => true,
    write: (level, message, fields) => lines.push([level, message, fields]),
  };
  return { lines, log };
}

describe('a Node whose connections are others than expected', () => {
  it.each(plants)(
    "[FP3] [FP4] (%s) serves orders by Node's HTTP, and says so once",
    async (_name, planted, reason) => {
      await withHandle(planted, async () => {
        const { lines, log } = listening();
        const harness = await openHarness({ log, rateMultiplier: 0 });
        expect(harness.gateway.orderPath.chosen).toEqual({
          way: 'node',
          reason: expect.stringMatching(reason),
        });
        expect(lines.filter(([level]) => level === 'warn')).toEqual([
          [
            'warn',
            "plain orders are answered by Node's HTTP",
            { reason: expect.stringMatching(reason) },
          ],
        ]);
        const port = await harness.gateway.listen({ host: '127.0.0.1', port: 0 });
        const client = new RawClient(port);
        const text = orderText(await harness.session());
        for (let count = 0; count < 3; count += 1)
          expect(await client.ask(text)).toMatch(/^HTTP\/1.1 200 /);
        expect(harness.gateway.orderPath.answered()).toBe(0);
        client.close();
        await harness.close();
      });
    },
  );

  it('[FP3] is told apart from the one that there is', async () => {
    expect(await chooseWay(true)).toEqual({ way: 'direct', reason: null });
    const { lines, log } = listening();
    const harness = await openHarness({ log });
    expect(lines).toEqual([
      ['info', 'plain orders are answered straight on the socket', undefined],
    ]);
    await harness.close();
  });

  it('[FP3] cannot keep the server from starting by saying nothing', async () => {
    const prototype = await handlePrototype();
    const before = Object.getOwnPropertyDescriptor(prototype, 'readStart')!;
    // A connection that reads into memory of others is silent; any other reads as ever.
    const adopted = new WeakSet<object>();
    await withHandle(
      function (this: object) {
        adopted.add(this);
      },
      async () => {
        Object.defineProperty(prototype, 'readStart', {
          ...before,
          value(this: object) {
            return adopted.has(this) ? 0 : before.value.call(this);
          },
        });
        try {
          expect(await chooseWay(true)).toEqual({
            way: 'node',
            reason: expect.stringMatching(/not as this needs them|no answer/),
          });
        } finally {
          Object.defineProperty(prototype, 'readStart', before);
        }
      },
    );
  });
});

describe('[FP4] the way of orders', () => {
  const find = async (environment: Readonly<Record<string, string>>) => {
    const { folder, remove } = temporaryFolder();
    const ports = { PORT: '0', ADMIN_PORT: '0', DATA_DIR: path.join(folder, 'none') };
    const findings = await examine({ ...ports, ...environment }, folder);
    remove();
    return findings.find(({ check }) => check === 'orders');
  };

  it('is a finding of the doctor, and worth a warning where nobody chose it', async () => {
    const check = 'orders';
    const slow = "answered by Node's HTTP, at twice the cost: ";
    expect(await find({})).toEqual({
      check,
      status: 'ok',
      detail: 'answered straight on the socket',
    });
    expect(await find({ DIRECT_ORDERS: 'off' })).toEqual({
      check,
      status: 'ok',
      detail: `${slow}DIRECT_ORDERS=off`,
    });
    const planted = await withHandle(undefined, () => find({}));
    expect(planted).toEqual({ check, status: 'warning', detail: expect.stringContaining(slow) });
  });

  it('is a line of the log and of the start where it is not the short one', async () => {
    const { lines, log } = listening();
    const harness = await openHarness({ log, hasDirectOrders: false });
    const { chosen } = harness.gateway.orderPath;
    expect(lines).toEqual([
      ['info', "plain orders are answered by Node's HTTP", { reason: 'DIRECT_ORDERS=off' }],
    ]);
    await harness.close();
    const config = readConfig({}, '/nowhere');
    const addresses = { port: 1, adminPort: 2, newOperator: null, hasPages: true };
    const shown = (orderWay: OrderWay) => banner(config, { ...addresses, orderWay }, '1.2.3');
    expect(shown(chosen)).toMatch(/^ {2}Orders +by Node's HTTP, .*\(DIRECT_ORDERS=off\)$/m);
    expect(shown({ way: 'direct', reason: null })).not.toContain('Orders  ');
  });
});
