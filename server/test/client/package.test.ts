// The client as it is published: packed, unpacked into an empty folder, and run there by the machine's own Node.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSeeded } from '../seeded-sandbox.ts';
import { root, type Started, temporaryFolder } from '../server-process.ts';

const PROGRAM = `
import { createSandboxClient, createSocket, OrderTracker } from '@sibyl/sdk';
import WebSocket from 'ws';
const baseUrl = process.argv[2];
const client = await createSandboxClient({ baseUrl });
const socket = createSocket({ baseUrl, token: client.token, WebSocket });
await socket.connect();
const tracker = new OrderTracker(client, socket);
await tracker.ready;
const [market] = (await client.markets.list({ status: 'active', category: 'technology' })).items;
const book = socket.orderBook(market.market_id, 'yes');
await book.ready;
const order = await tracker.place({ market_id: market.market_id, outcome_id: 'yes', side: 'buy', order_type: 'market', size: '5' });
console.log(process.versions.node, order.status, book.isSynced, book.mismatches);
socket.close();
`;

const TYPED = `
import { createClient, type TrackedOrder } from '@sibyl/sdk';
const client = createClient({ baseUrl: 'http://localhost:8080' });
export const order: Promise<TrackedOrder> = client.orders.get('coid:x');
// @ts-expect-error an order needs a side
client.orders.place({ market_id: 'm', outcome_id: 'yes', order_type: 'market', size: '5' });
`;

const CONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules', '@types')],
  },
};

/** What the examples of the README speak of without making it. */
const SPOKEN_OF: Readonly<Record<string, string>> = {
  client: "import('@sibyl/sdk').SibylClient",
  socket: "import('@sibyl/sdk').SibylSocket",
  order: "import('@sibyl/sdk').OrderInput",
  market: "Awaited<ReturnType<import('@sibyl/sdk').SibylClient['markets']['get']>>",
  SibylConnectionError: "typeof import('@sibyl/sdk').SibylConnectionError",
};

/** The examples as modules, one for each block. */
function examplesOf(readme: string): readonly string[] {
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => {
    const given = Object.entries(SPOKEN_OF).filter(
      ([name]) => !new RegExp(`(const|import \\{[^}]*)\\s\\[?${name}\\b`).test(block),
    );
    const declared = given.map(([name, type]) => `declare const ${name}: ${type};`);
    return `${declared.join('\n')}\n${block}\nexport {};\n`;
  });
}

/** The Node that runs npm here, not the one that npm installed for the tree. */
function hostNode(): string {
  const own = path.join(root, 'node_modules');
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = folders.find((at) => !at.startsWith(own) && existsSync(path.join(at, 'node')));
  return found === undefined ? process.execPath : path.join(found, 'node');
}

const readme = readFileSync(path.join(root, 'sdk', 'README.md'), 'utf8');

describe('[SK20] the published client', () => {
  const consumer = temporaryFolder();
  const data = temporaryFolder();
  let server: Started;
  beforeAll(async () => {
    server = await startSeeded({ dataDir: data.folder });
    execFileSync('npm', ['run', '--silent', 'package', '-w', '@sibyl/sdk'], { cwd: root });
    const built = path.join(root, 'sdk', 'build', 'package');
    execFileSync('npm', ['pack', '--pack-destination', consumer.folder], { cwd: built });
    const unpacked = path.join(consumer.folder, 'node_modules', '@sibyl', 'sdk');
    mkdirSync(unpacked, { recursive: true });
    const archive = path.join(consumer.folder, 'sibyl-sdk-0.1.0.tgz');
    execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', unpacked]);
    for (const name of ['typebox', 'ws']) {
      const installed = path.join(root, 'node_modules', name);
      symlinkSync(installed, path.join(consumer.folder, 'node_modules', name));
    }
    writeFileSync(path.join(consumer.folder, 'package.json'), '{"type":"module"}');
    writeFileSync(path.join(consumer.folder, 'program.mjs'), PROGRAM);
    writeFileSync(path.join(consumer.folder, 'typed.ts'), TYPED);
    for (const [at, example] of examplesOf(readme).entries()) {
      writeFileSync(path.join(consumer.folder, `example-${at}.ts`), example);
    }
    writeFileSync(path.join(consumer.folder, 'tsconfig.json'), JSON.stringify(CONFIG));
  });
  afterAll(async () => {
    await server.stop();
    consumer.remove();
    data.remove();
  });

  it('trades and streams under the Node of the machine', () => {
    const { stdout, stderr } = spawnSync(hostNode(), ['program.mjs', `${server.baseUrl}/sandbox`], {
      cwd: consumer.folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\d+\.\d+\.\d+ filled true 0\n$/);
  });

  it('[SK21] has types by which every example of the README is right', () => {
    expect(examplesOf(readme).length).toBeGreaterThan(10);
    const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', '.'], {
      cwd: consumer.folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  it('claims a Node that its README names, and holds no test and no secret of the tree', () => {
    const manifest = JSON.parse(
      readFileSync(path.join(consumer.folder, 'node_modules/@sibyl/sdk/package.json'), 'utf8'),
    );
    expect(manifest).toMatchObject({ license: 'Apache-2.0', engines: { node: '>=20.19' } });
    expect(Object.keys(manifest.dependencies)).toEqual(['typebox']);
    expect(readme).toContain('Node 20.19');
  });
});
