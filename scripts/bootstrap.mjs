// Makes any host with Node 20.19 or newer ready: installs what the lockfile says, then names the Node 24 to go on with.
// Built-in modules and plain syntax only: this runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from './build-program.mjs';
import { buildSite } from './build-site.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const bin = path.join(root, 'node_modules', '.bin');
// What npm installed last: the hash of its lockfile, then which part of it.
const stamp = path.join(root, 'node_modules', '.cache', 'sibyl-installed');
// Stripping types and compiling take half of the time until a server begins; Node keeps what came of it here. Tests start
// hundreds of processes.
const compiled = path.join(root, 'node_modules', '.cache', 'node-compile');
// The first release that runs TypeScript without a flag.
const nodeMinimum = [22, 18];
// The server takes signals within this time for one.
const sameSignalMs = 2_000;
// Within this time the server reports a signal that the process group received.
const groupSignalMs = 100;

/** By this name the server is asked for. */
export const SERVER = 'server/src/main.ts';

function prepare(needsTools) {
  installIfStale(needsTools);
  return {
    node: findNode(),
    env: {
      NODE_COMPILE_CACHE: compiled,
      ...process.env,
      PATH: bin + path.delimiter + process.env.PATH,
    },
  };
}

// Runs one program to its end with our terminal and returns its exit code. Signals are forwarded: a program whose launcher
// is stopped must not stay behind.
// Programs of the exchange itself need no compiler, linter, test runner, browser or PostgreSQL; all others do.
export function runUnderNode(args, { needsTools = false, cwd = root } = {}) {
  const { node, env } = prepare(needsTools);
  const isServer = args.includes(SERVER);
  const child = spawn(node, isServer ? built(node, args) : args, {
    cwd,
    env,
    stdio: ['inherit', 'inherit', 'inherit', ...(isServer ? ['ipc'] : [])],
  });
  const forward = forwarderOf(child);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => forward(signal, sameSignalMs));
  }
  if (process.env.npm_lifecycle_event !== undefined) stopWithParent(forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === null ? 1 : code));
  });
}

// The server sends a message for each signal it receives. A signal of the process group reaches both processes: what the
// server has received within the given time is not forwarded.
function forwarderOf(child) {
  let receivedMs = null;
  child.on('message', () => {
    receivedMs = performance.now();
  });
  return (signal, withinMs) =>
    setTimeout(() => {
      const hasReceived = receivedMs !== null && performance.now() - receivedMs <= withinMs;
      if (!hasReceived) child.kill(signal);
    }, groupSignalMs);
}

// The server is run as it was built, with its pages.
function built(node, args) {
  buildSite(node);
  const program = buildProgram(node);
  return args.map((arg) => (arg === SERVER ? program : arg));
}

// The shell between npm and us dies of a signal without passing it on; its end is how we learn that npm was stopped.
function stopWithParent(forward) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    // A server that is stopping already finishes.
    forward('SIGTERM', Number.POSITIVE_INFINITY);
  }, 200);
  timer.unref();
}

function installIfStale(needsTools) {
  const lockfile = readFileSync(path.join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lockfile).digest('hex');
  const [installed, part] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : [];
  if (installed === wanted && (part === 'all' || !needsTools)) return;
  // Whoever had the tools keeps them, so that starting and testing in turn installs nothing anew.
  const hasTools = needsTools || part === 'all' || isInstalled('typescript');
  if (!isInstalledAs(JSON.parse(lockfile), hasTools)) install(hasTools);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, `${wanted} ${hasTools ? 'all' : 'serving'}`);
}

function install(hasTools) {
  console.log(
    hasTools
      ? 'sibyl: installing everything that package-lock.json names, tools and tests too (npm ci)'
      : 'sibyl: installing what serving needs (npm ci --omit=dev), about 410 MB',
  );
  const isWindows = process.platform === 'win32';
  const args = ['ci', ...(hasTools ? ['--include=dev'] : ['--omit=dev']), '--loglevel=error'];
  const { status, error } = spawnSync(isWindows ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    stdio: 'inherit',
    shell: isWindows,
  });
  if (status === 0) return;
  if (error) console.error(String(error));
  console.error('sibyl: the dependencies could not be installed as package-lock.json says');
  process.exit(1);
}

// npm records what it installed; when that equals the lockfile, somebody has already run npm ci by hand. It also
// records what it only resolved, so the folders are looked for as well.
function isInstalledAs({ packages: locked }, hasTools) {
  const recordFile = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(recordFile)) return false;
  const recorded = JSON.parse(readFileSync(recordFile, 'utf8')).packages;
  return Object.entries(locked).every(([name, entry]) => {
    if (!name.startsWith('node_modules/')) return true;
    if (entry.link) return existsSync(path.join(root, name));
    if (entry.optional || entry.devOptional || (entry.dev && !hasTools)) return true;
    return recorded[name]?.version === entry.version && existsSync(path.join(root, name));
  });
}

function isInstalled(name) {
  return existsSync(path.join(root, 'node_modules', name));
}

function findNode() {
  const packaged = path.join(bin, process.platform === 'win32' ? 'node.cmd' : 'node');
  if (existsSync(packaged) && process.platform !== 'win32') return packaged;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > nodeMinimum[0] || (major === nodeMinimum[0] && minor >= nodeMinimum[1])) {
    return process.execPath;
  }
  console.error(
    `sibyl: no packaged Node for ${process.platform} ${process.arch}, and this one is ${process.version}.\n` +
      `       Install Node ${nodeMinimum.join('.')} or newer (24 is what we test with) and run the command again.`,
  );
  return process.exit(1);
}
