// Runs the fault harness for as long as asked: npm run chaos -- --kills 1000
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './checks.ts';

const harness = path.join(root, 'server', 'test', 'faults', 'chaos.ts');
const result = spawnSync(process.execPath, [harness, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = result.status ?? 1;
