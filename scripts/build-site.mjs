// Builds the pages when what they are made of has changed: `npm start` and the tests call this, nobody else need to.
// Built-in modules and plain syntax only.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf } from './source-hash.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const stamp = path.join(root, 'web', 'build', 'site.stamp');

// Everything that ends up in the pages.
const sources = ['web', 'sdk/src', 'money/src', 'contract/src', 'package-lock.json'];

export function buildSite(node) {
  const wanted = hashOf(root, sources);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('sibyl: building the pages');
  const started = Date.now();
  for (const config of ['vite.config.ts', 'vite.console.config.ts']) build(node, config);
  writeFileSync(stamp, wanted);
  console.log(`sibyl: built the pages in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function build(node, config) {
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { status, stdout, stderr } = spawnSync(
    node,
    [vite, 'build', '--config', path.join('web', config), '--logLevel', 'warn'],
    // Whoever calls may be a test: what is built is what people get.
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (status === 0) return;
  console.error(`${stdout}${stderr}sibyl: the pages could not be built`);
  process.exit(1);
}
