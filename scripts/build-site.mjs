// Builds the pages when what they are made of has changed: `npm start` and the tests call this, nobody else need to.
// Built-in modules and plain syntax only.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const stamp = path.join(root, 'web', 'build', 'site.stamp');

// Everything that ends up in the pages.
const sources = ['web', 'sdk/src', 'money/src', 'contract/src', 'package-lock.json'];

export function buildSite(node) {
  const wanted = hashOf(sources);
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

function hashOf(sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesOf(path.join(root, source))) {
      hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

// In the same order on every machine; what was built or installed does not count, nor do tests and measurements.
function filesOf(source) {
  if (path.extname(source) === '.json') return [source];
  return readdirSync(source, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](build|node_modules|test|bench)[\\/]/.test(path.relative(root, file)))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort();
}
