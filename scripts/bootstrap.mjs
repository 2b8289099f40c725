// Makes any host with Node 20.19 or newer ready: installs what the lockfile says, then names the Node 24 to go on with.
// Built-in modules and plain syntax only: this runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const bin = path.join(root, 'node_modules', '.bin');
const stamp = path.join(root, 'node_modules', '.cache', 'sibyl-lockfile');
// The first release that runs TypeScript without a flag.
const nodeMinimum = [22, 18];

function prepare() {
  installIfStale();
  return {
    node: findNode(),
    env: { ...process.env, PATH: bin + path.delimiter + process.env.PATH },
  };
}

// Runs one program to its end with our terminal and gives its exit code. Signals are passed on, so that whoever
// stops this process stops the program in its own orderly way instead of leaving it behind.
export function runUnderNode(args, cwd = root) {
  const { node, env } = prepare();
  const child = spawn(node, args, { cwd, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  if (process.env.npm_lifecycle_event !== undefined) stopWithParent(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === null ? 1 : code));
  });
}

// The shell between npm and us dies of a signal without passing it on; its end is how we learn that npm was stopped.
function stopWithParent(child) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, 200);
  timer.unref();
}

function installIfStale() {
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  if (installedMatchesLockfile()) {
    writeStamp(wanted);
    return;
  }
  console.log('sibyl: installing dependencies (npm ci)');
  const strict = runNpm(['ci']);
  // npm ci refuses a lockfile without the other platforms' binaries, which some registries do not carry.
  // npm install takes the same locked versions and checks the same hashes; the match is verified afterwards.
  if (strict.status !== 0) {
    const lenient = runNpm(['install', '--no-save']);
    if (lenient.status !== 0 || !installedMatchesLockfile()) {
      console.error(strict.output + lenient.output);
      console.error('sibyl: the dependencies could not be installed as package-lock.json says');
      process.exit(1);
    }
  }
  writeStamp(wanted);
}

function runNpm(args) {
  const isWindows = process.platform === 'win32';
  const result = spawnSync(isWindows ? 'npm.cmd' : 'npm', [...args, '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    shell: isWindows,
  });
  const output = result.error ? String(result.error) : result.stdout + result.stderr;
  return { status: result.status, output };
}

// npm records what it installed; when that equals the lockfile, somebody has already run npm install by hand. It also
// records what it only resolved, so the folders are looked for as well.
function installedMatchesLockfile() {
  const installedFile = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  for (const [name, entry] of Object.entries(locked)) {
    if (name === '' || entry.optional || entry.link || !name.startsWith('node_modules/')) continue;
    if (!installed[name] || installed[name].version !== entry.version) return false;
    if (!existsSync(path.join(root, name))) return false;
  }
  return Object.keys(locked).every(
    (name) => !locked[name].link || existsSync(path.join(root, name)),
  );
}

function writeStamp(value) {
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, value);
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
