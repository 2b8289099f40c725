// The first order of the README, as it stands there, against a real server.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  BalanceInsufficientError,
  checkOrder,
  createClient,
  NotFoundError,
  roundPrice,
  TierLimitExceededError,
} from '@sibyl/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndedProgram, runProgram } from './run-program.ts';
import { startSeeded } from './seeded-sandbox.ts';
import { root, type Started, temporaryFolder } from './server-process.ts';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const section = readme.slice(readme.indexOf('## First order'), readme.indexOf('## State'));

function codeBlock(language: string): string {
  const match = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section);
  if (match?.[1] === undefined) throw new Error(`the README has no ${language} block`);
  return match[1];
}

function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<EndedProgram> {
  return runProgram(program, args, { cwd: root, env: { ...process.env, ...environment } });
}

describe('[RD1] the first order of the README', () => {
  const data = temporaryFolder();
  let server: Started;
  beforeAll(async () => {
    server = await startSeeded({ dataDir: data.folder });
  });
  afterAll(async () => {
    await server.stop();
    data.remove();
  });

  const here = (text: string): string => text.replaceAll('http://localhost:8080', server.baseUrl);
  let key = '';

  it('has five lines of curl, and they buy five shares', async () => {
    const block = codeBlock('sh');
    expect(block.trim().split('\n')).toHaveLength(5);
    const { output } = await run('sh', ['-c', `${here(block)}\nprintf '\\n%s' "$KEY"`]);
    const lines = output.trim().split('\n');
    key = lines.pop() ?? '';
    expect(key).toMatch(/^sk_live_/);
    const order = JSON.parse(output.slice(output.lastIndexOf('{"ok"'), output.lastIndexOf('\n')));
    expect(order).toMatchObject({ ok: true, data: { status: 'filled' } });
    expect(Number(order.data.filled_size)).toBe(5);
    // Whoever has had the key of the day is told so, and no error is taken for a key.
    const again = await run('sh', ['-c', here(block)]);
    expect(again.code).not.toBe(0);
    expect(again.errors).toContain('one per address and day');
    expect(again.output).not.toContain('error');
  });

  it('[IN3] has five lines of SDK code that buy five more in the shell of the others', async () => {
    const block = codeBlock('ts');
    expect(block.trim().split('\n')).toHaveLength(5);
    const file = path.join(root, `first-order-${process.pid}.tmp.ts`);
    writeFileSync(file, here(block));
    // The key of the day has been handed out above; how the shell passes it on is what the README says.
    const [, keyLine = ''] = codeBlock('sh').split('\n');
    const shell = keyLine.replace(/\$\(.*\)/, key);
    try {
      const script = `${shell}\nnode scripts/run.mjs ${file}`;
      const { code, output, errors } = await run('sh', ['-c', script]);
      expect(errors).toBe('');
      expect(code).toBe(0);
      expect(output).toMatch(/^filled 0\.[0-9]+ 0\.[0-9]+\n$/);
    } finally {
      rmSync(file);
    }
  });

  it('[SK1, SK5, SK6] the client places, finds, amends, cancels, walks lists and names errors', async () => {
    const client = createClient({ baseUrl: `${server.baseUrl}/sandbox`, token: key });
    const { items } = await client.markets.list({ status: 'active', category: 'technology' });
    const [market] = items;
    if (market === undefined) throw new Error('no market');
    const mid = market.outcomes[0]?.price ?? '0';
    const price = roundPrice(market, String(Number(mid) / 2));
    const wish = {
      market_id: market.market_id,
      outcome_id: 'yes',
      side: 'buy',
      order_type: 'limit',
      price,
      size: '4',
    } as const;
    expect(checkOrder(market, wish)).toEqual([]);
    const preview = await client.orders.place(wish, { dry_run: true });
    expect(preview.preview?.fills).toEqual([]);
    const idempotencyKey = crypto.randomUUID();
    const named = { ...wish, client_order_id: 'journey' };
    const placed = await client.orders.place(named, {}, { idempotencyKey });
    const again = await client.orders.place(named, {}, { idempotencyKey });
    expect(again.order_id).toBe(placed.order_id);
    expect((await client.orders.get('coid:journey')).order_id).toBe(placed.order_id);
    expect(Number((await client.orders.amend(placed.order_id, { size: '3' })).size)).toBe(3);
    expect((await client.orders.cancel('coid:journey')).status).toBe('cancelled');
    const orders: string[] = [];
    for await (const order of client.account.orders({ limit: 1 })) orders.push(order.order_id);
    expect(orders[0]).toBe(placed.order_id);
    expect(new Set(orders).size).toBe(orders.length);
    expect(orders.length).toBe(3);
    await expect(client.orders.get('ord_0000000000000001')).rejects.toBeInstanceOf(NotFoundError);
    const greedy = { market_id: market.market_id, action: 'mint', size: '1000000' } as const;
    await expect(client.portfolio.convert(greedy)).rejects.toBeInstanceOf(TierLimitExceededError);
    const more = { market_id: market.market_id, action: 'merge', size: '1000000' } as const;
    await expect(client.portfolio.convert(more)).rejects.toBeInstanceOf(BalanceInsufficientError);
  });
});

describe('[IN3] the commands of the README', () => {
  const commands = [...readme.matchAll(/`(npm (?:run [a-z]+|start|test)(?: -- [^`]*)?)`/g)].map(
    ([, command = '']) => command,
  );
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

  it('are scripts of the tree', () => {
    expect(commands.length).toBeGreaterThan(10);
    const names = commands.map((command) => command.split(' ').filter((word) => word !== 'run')[1]);
    expect(names.filter((name) => scripts[name ?? ''] === undefined)).toEqual([]);
  });

  /** Programs read their options before they print their help, and refuse those that they do not know. */
  const withOptions = commands.filter((command) => command.includes(' -- '));

  it.each(withOptions)('`%s` has options that are taken', async (command) => {
    const help = await run('sh', ['-c', `${command} --help`]);
    expect(help).toMatchObject({ code: 0 });
    expect(help.output).toContain('npm run');
    const misspelt = await run('sh', ['-c', `${command} --no-such-option --help`]);
    expect(misspelt.code).not.toBe(0);
  });
});
