// Asks every read of a lane with very many orders, and shows for how long each holds the event loop: npm run reads
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { longestTurnMs, openStage } from '../server/test/reads/stage.ts';

const USAGE = `npm run reads -- [--orders N]

  --orders N   orders in the lane (default 1000000), half of them of the account that reads
`;
const TURN_MAX_MS = 20;
const TRIES = 5;

const { values } = parseArgs({
  options: { orders: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
const orders = Number(values.orders ?? 1_000_000);
if (values.help === true || !Number.isInteger(orders) || orders < 2) {
  process.stdout.write(USAGE);
  process.exit(values.help === true ? 0 : 2);
}
process.exitCode = await run();

async function run(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'reads-'));
  try {
    const startMs = performance.now();
    process.stderr.write(`reads: placing ${orders} orders\n`);
    const stage = await openStage(folder, orders);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
    process.stderr.write(`reads: the lane stood after ${seconds} s\n`);
    const turns: [string, number][] = [];
    for (const [name, address] of stage.reads) {
      turns.push([name, await longestTurnMs(() => stage.get(address), TRIES)]);
    }
    await stage.close();
    turns.sort(([, a], [, b]) => b - a);
    for (const [name, ms] of turns)
      process.stdout.write(`${ms.toFixed(1).padStart(8)} ms  ${name}\n`);
    const slow = turns.filter(([, ms]) => ms > TURN_MAX_MS);
    process.stdout.write(
      `${slow.length} of ${turns.length} reads hold the event loop for more than ${TURN_MAX_MS} ms\n`,
    );
    return slow.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
