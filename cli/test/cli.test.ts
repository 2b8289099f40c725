// The command line as a program: what it prints, where, and how it ends.

import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { operatorOperations } from '@sibyl/contract';
import { boot, readConfig, type Server, silentLog } from '@sibyl/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndedProgram, runProgram } from '../../server/test/run-program.ts';
import { type Ended, runSibyl } from './run-sibyl.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-cli-'));
const data = path.join(folder, 'data');
const operatorToken = 'a token that is long enough';

const sibyl = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runSibyl(args, { DATA_DIR: data, ...environment });

/** The same as a program of its own, under whatever Node the host has. */
function sibylProgram(args: readonly string[]): Promise<EndedProgram> {
  return runProgram('node', [path.join(root, 'cli/bin/sibyl.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: data },
  });
}

function start(): Promise<Server> {
  const environment = {
    PORT: '0',
    ADMIN_PORT: '0',
    DATA_DIR: data,
    LANES: 'live',
    OPERATOR_TOKEN: operatorToken,
  };
  return boot(readConfig(environment, folder), silentLog);
}

beforeAll(async () => {
  await (await start()).close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('[CL1] usage', () => {
  it('explains itself', async () => {
    const { code, output } = await sibyl(['--help']);
    expect(code).toBe(0);
    for (const name of ['verify', 'replay', 'backup', 'restore', 'rebuild', 'doctor', 'admin']) {
      expect(output).toContain(name);
    }
    expect(output).toContain('Exit codes');
  });

  it('a command line that makes no sense ends with 2', async () => {
    expect((await sibyl(['frobnicate'])).code).toBe(2);
    expect((await sibyl(['verify', '--lane', 'nowhere'])).code).toBe(2);
    expect((await sibyl(['replay', 'live', '--to', 'zero'])).code).toBe(2);
  });

  it('is a program that ends as its commands do, with paths from where it was called', async () => {
    const { code, output } = await sibylProgram(['verify', '--data-dir', 'data', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(output).verified[0].lane).toBe('live');
    expect((await sibylProgram(['verify', '--lane', 'nowhere'])).code).toBe(2);
  });

  it('data that is not there ends with 3', async () => {
    const { code, errors } = await sibyl([
      'verify',
      '--data-dir',
      path.join(folder, 'nothing-here'),
    ]);
    expect(code).toBe(3);
    expect(errors).toContain('nothing-here');
  });
});

describe('[CL2] verify and replay', () => {
  it('a sound journal verifies, and the replay ends at the same hash', async () => {
    const { code, output } = await sibyl(['verify', '--json']);
    expect(code).toBe(0);
    const [live] = JSON.parse(output).verified;
    expect(live).toMatchObject({ lane: 'live', headHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const replayed = await sibyl(['replay', 'live', '--quiet', '--json']);
    expect(JSON.parse(replayed.output)).toEqual({
      lane: 'live',
      seq: live.seq,
      state_hash: live.stateHash,
    });
  });

  it('a replay shows commands with their answers', async () => {
    const { code, output } = await sibyl(['replay', 'live', '--from', '2', '--to', '3', '--json']);
    expect(code).toBe(0);
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.command?.type)).toEqual([
      'publish_template',
      'publish_template',
      undefined,
    ]);
    expect(lines[0].answer).toEqual({ ok: true, result: { kind: 'done' } });
  });

  it('one flipped byte is found, named, and ends with 1', async () => {
    const copy = path.join(folder, 'flipped');
    expect((await sibyl(['backup', copy])).code).toBe(0);
    const file = path.join(copy, 'live/journal.db');
    const bytes = readFileSync(file);
    const name = 'Price above a level';
    // A page may still hold what was moved to another one: every copy is changed.
    let flips = 0;
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
      bytes[at] = 'p'.charCodeAt(0);
      flips += 1;
    }
    expect(flips).toBeGreaterThan(0);
    writeFileSync(file, bytes);
    const { code, errors } = await sibyl(['verify', '--data-dir', copy, '--json']);
    expect(code).toBe(1);
    const { error } = JSON.parse(errors);
    expect(error.code).toBe('JournalCorrupt');
    expect(error.message).toMatch(/page \d+ \(batch\) not as written; .*record/);
  });

  it('says what it did not look at', async () => {
    const alone = await sibyl(['verify', '--lane', 'live']);
    expect(alone.output).toContain('not verified: users, keys, webhooks and the trail');
    const copy = path.join(folder, 'in-postgres');
    const backup = path.join(folder, 'for-postgres');
    expect((await sibyl(['backup', backup])).code).toBe(0);
    expect((await sibyl(['restore', backup, '--data-dir', copy])).code).toBe(0);
    for (const name of ['platform.db', 'webhooks.db', 'operators.db'])
      rmSync(path.join(copy, name));
    // As a folder is left whose users were moved there.
    writeFileSync(path.join(copy, 'platform.postgres'), 'db.example:5432/sibyl\n');
    const { code, output } = await sibyl(['verify', '--data-dir', copy]);
    expect(code).toBe(0);
    expect(output).toMatch(/not verified: users, keys .* PostgreSQL at db\.example:5432/);
    expect(output).toContain('not verified: the trail of operators');
    const whole = await sibyl(['verify']);
    expect(whole.output).not.toContain('not verified');
  });

  it('[DB4] one flipped byte among users, keys or webhooks is found as well', async () => {
    const copy = path.join(folder, 'flipped-stores');
    expect((await sibyl(['backup', copy])).code).toBe(0);
    const whole = await sibyl(['verify', '--data-dir', copy, '--json']);
    expect(JSON.parse(whole.output).stores).toEqual(['platform.db', 'webhooks.db', 'operators.db']);
    for (const name of ['operators.db', 'webhooks.db', 'platform.db']) {
      const file = path.join(copy, name);
      const bytes = readFileSync(file);
      bytes[bytes.length - 1]! ^= 1;
      writeFileSync(file, bytes);
      const { code, errors } = await sibyl(['verify', '--data-dir', copy, '--json']);
      expect(code).toBe(1);
      expect(JSON.parse(errors).error.code).toBe('PagesDamaged');
      expect(JSON.parse(errors).error.message).toContain(`${name} is damaged`);
    }
  });
});

it('[DB11] no backup is made that could not be restored, and doctor says why', async () => {
  const copy = path.join(folder, 'without-first');
  const restored = await sibyl(['backup', path.join(folder, 'for-first')]);
  expect(restored.code).toBe(0);
  await sibyl(['restore', path.join(folder, 'for-first'), '--data-dir', copy]);
  rmSync(path.join(copy, 'live', 'snapshots', 'snap-0'));
  const backup = await sibyl(['backup', path.join(folder, 'useless'), '--data-dir', copy]);
  expect(backup.code).not.toBe(0);
  expect(backup.errors).toContain('snap-0');
  const doctor = await sibyl(['doctor'], { DATA_DIR: copy, LANES: 'live' });
  expect(doctor.code).toBe(1);
  expect(doctor.output).toMatch(/live snap-0 .*put that of a backup in its place/);
});

it('[CL13] secrets that are missing or cannot be read are told in a sentence, with what to do', async () => {
  const copy = path.join(folder, 'without-secrets');
  const whole = path.join(folder, 'for-secrets');
  expect((await sibyl(['backup', whole])).code).toBe(0);
  expect((await sibyl(['restore', whole, '--data-dir', copy])).code).toBe(0);
  const attempts = [
    ['operator', 'reset', 'admin', '--data-dir', copy],
    ['verify', '--data-dir', copy],
    ['backup', path.join(folder, 'nowhere'), '--data-dir', copy],
  ];
  const expectRefused = async (told: RegExp) => {
    for (const attempt of attempts) {
      const { code, errors } = await sibyl(attempt);
      expect([attempt[0], code, errors]).toEqual([attempt[0], 3, expect.stringMatching(told)]);
    }
    const doctor = await sibyl(['doctor', '--data-dir', copy], { LANES: 'live' });
    expect([doctor.code, doctor.output]).toEqual([1, expect.stringMatching(told)]);
  };
  rmSync(path.join(copy, 'secrets'));
  await expectRefused(/secrets is missing: .*copy it there from the newest backup/);
  // Not readable for whoever it is, the superuser too.
  mkdirSync(path.join(copy, 'secrets'), { mode: 0o700 });
  await expectRefused(/secrets cannot be read .*chown it/);
  expect(existsSync(path.join(folder, 'nowhere'))).toBe(false);
  rmSync(path.join(whole, 'secrets'));
  const restored = await sibyl(['restore', whole, '--data-dir', path.join(folder, 'nowhere')]);
  expect([restored.code, restored.errors]).toEqual([3, expect.stringContaining('is missing')]);
});

it('[CL31] who stops reading is no defect', async () => {
  const program = path.join(root, 'cli/bin/sibyl.mjs');
  const unread = `{ node '${program}' completion fish; echo "ended with $?" >&2; } | true`;
  const { errors } = await runProgram('sh', ['-c', unread], { cwd: folder, env: process.env });
  expect(errors).toBe('ended with 0\n');
});

it('[IS4] an example that cannot be sent says why', async () => {
  const trigger = (to: string, secret: string) =>
    runSibyl(['webhooks', 'trigger', 'order.filled', '--to', to], {}, `${secret}\n`);
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const nowhere = await trigger('http://127.0.0.1:9', secret);
  expect([nowhere.code, nowhere.errors]).toEqual([
    3,
    expect.stringMatching(/127\.0\.0\.1:9 did not answer \(.*\)\..* sibyl webhooks listen/),
  ]);
  const unsigned = await trigger('http://127.0.0.1:9', 'hi');
  expect([unsigned.code, unsigned.errors]).toEqual([3, expect.stringContaining('whsec_')]);
  const nonsense = await trigger('nonsense', secret);
  expect([nonsense.code, nonsense.errors]).toEqual([2, expect.stringContaining('https://')]);
});

it('[CL13] a file that cannot be read, and a database that does not answer, show no stack', async () => {
  const home = path.join(folder, 'home');
  const session = path.join(home, 'sibyl', 'operator-sessions.json');
  mkdirSync(session, { recursive: true });
  const whoami = ['admin', 'whoami', '--url', 'http://127.0.0.1:9'];
  const unreadable = await sibyl(whoami, { XDG_CONFIG_HOME: home });
  expect([unreadable.code, unreadable.errors]).toEqual([3, expect.stringContaining(session)]);
  rmSync(session, { recursive: true });
  writeFileSync(session, '{}', { mode: 0o644 });
  const open = await sibyl(whoami, { XDG_CONFIG_HOME: home });
  expect([open.code, open.errors]).toEqual([3, expect.stringContaining('chmod 600')]);
  rmSync(session);
  writeFileSync(session, 'half a docum', { mode: 0o600 });
  const half = await sibyl(whoami, { XDG_CONFIG_HOME: home });
  expect([half.code, half.errors]).toEqual([3, expect.stringContaining('sign in again')]);
  const DATABASE_URL = 'postgres://127.0.0.1:9/sibyl';
  const silent = await sibyl(['operator', 'reset', 'admin'], { DATABASE_URL });
  expect([silent.code, silent.errors]).toEqual([3, expect.stringContaining('does not answer')]);
});

it('[DB12] a damaged witness is refused with advice that leads to a start', async () => {
  const copy = path.join(folder, 'witness');
  expect((await sibyl(['backup', copy])).code).toBe(0);
  const file = path.join(copy, 'live', 'journal.db-head');
  const bytes = readFileSync(file);
  bytes[6]! ^= 1;
  writeFileSync(file, bytes);
  const refused = await sibyl(['verify', '--data-dir', copy]);
  expect(refused.code).not.toBe(0);
  expect(refused.errors).toContain('journal.db-head is damaged; move it aside');
  renameSync(file, `${file}.damaged`);
  const verified = await sibyl(['verify', '--data-dir', copy, '--json']);
  expect(verified.code).toBe(0);
});

describe('[CL3] copies', () => {
  const backups = path.join(folder, 'backup');

  it('a backup restores to the same hash, whole or up to a command', async () => {
    const made = await sibyl(['backup', backups, '--json']);
    expect(made.code).toBe(0);
    const [lane] = JSON.parse(made.output).lanes;
    const whole = path.join(folder, 'whole');
    const restored = await sibyl(['restore', backups, '--data-dir', whole, '--json']);
    expect(JSON.parse(restored.output).lanes).toEqual([lane]);
    expect(existsSync(path.join(whole, 'secrets'))).toBe(true);
    const part = path.join(folder, 'part');
    const cut = await sibyl(['restore', backups, '--data-dir', part, '--to-seq', '5', '--json']);
    expect(JSON.parse(cut.output).lanes[0].seq).toBe(5);
    const verified = await sibyl(['verify', '--data-dir', part, '--json']);
    expect(JSON.parse(verified.output).verified[0].seq).toBe(5);
  });

  it('[CL11] backups are listed with age and size, and as verified once all of one was', async () => {
    const listed = async () => {
      const { output } = await sibyl(['backups', folder, '--json']);
      return JSON.parse(output).backups.find((one: { folder: string }) => one.folder === backups);
    };
    expect(await listed()).toMatchObject({
      ...{ age_hours: 0, verified_at: null },
      ...{ bytes: expect.any(Number), lanes: [{ lane: 'live' }] },
    });
    const verify = async (...more: string[]) =>
      (await sibyl(['verify', '--data-dir', backups, ...more])).code;
    expect([await verify('--lane', 'live'), (await listed()).verified_at]).toEqual([0, null]);
    expect(await verify()).toBe(0);
    expect((await listed()).verified_at).toMatch(/^\d{4}-/);
    // One that was found damaged since is verified no more.
    const file = path.join(backups, 'platform.db');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.with(bytes.length - 1, bytes.at(-1)! ^ 1));
    expect([await verify(), (await listed()).verified_at]).toEqual([1, null]);
    writeFileSync(file, bytes);
    const { output } = await sibyl(['backups', folder]);
    expect(output).toMatch(/^FOLDER +CREATED AT +AGE HOURS/);
    expect((await sibyl(['backups'])).output).toMatch(/^none in /);
  });

  it.each([
    [['backups']],
    [['verify']],
    [['replay', 'live']],
    [['rebuild']],
    [['doctor']],
    [['backup', path.join(folder, 'copy-of-nothing')]],
    [['operator', 'reset', 'admin']],
    [['operator', 'add', 'grace']],
  ])('[CL15] %j in a folder that is not there is an error, and makes none', async (args) => {
    const typo = path.join(folder, 'dta');
    const { code, errors } = await sibyl([...args, '--data-dir', typo]);
    expect([code, errors]).toEqual([3, expect.stringContaining(typo)]);
    expect(existsSync(typo)).toBe(false);
  });

  it('[CL15] neither are backups listed, nor is one restored, from a folder that is not there', async () => {
    const typo = path.join(folder, 'bckups');
    for (const args of [
      ['backups', typo],
      ['restore', typo, '--data-dir', path.join(folder, 'from-nothing')],
    ]) {
      const { code, errors } = await sibyl(args);
      expect([code, errors]).toEqual([3, expect.stringContaining(typo)]);
    }
  });

  it('nothing is ever restored over something', async () => {
    const { code, errors } = await sibyl(['restore', backups]);
    expect(code).toBe(3);
    expect(errors).toContain('not empty');
  });

  it('a backup that was cut short is refused', async () => {
    const short = path.join(folder, 'short');
    expect((await sibyl(['restore', backups, '--data-dir', short, '--to-seq', '4'])).code).toBe(0);
    copyFileSync(path.join(backups, 'backup.json'), path.join(short, 'backup.json'));
    const { code, errors } = await sibyl([
      'restore',
      short,
      '--data-dir',
      path.join(folder, 'from-short'),
    ]);
    expect(code).toBe(3);
    expect(errors).toContain('manifest');
  });

  it('the read model is rebuilt to the end of the journal', async () => {
    const { code, output } = await sibyl(['rebuild', '--json']);
    expect(code).toBe(0);
    const verified = JSON.parse((await sibyl(['verify', '--json'])).output).verified[0];
    expect(JSON.parse(output).rebuilt).toEqual([{ lane: 'live', seq: verified.seq }]);
  });
});

describe('[CL4] doctor', () => {
  it('finds nothing wrong with a sound folder', async () => {
    const { code, output } = await sibyl(['doctor', '--json'], { LANES: 'live' });
    expect(code).toBe(0);
    const { findings } = JSON.parse(output);
    const statuses = Object.fromEntries(
      findings.map(({ check, status }: { check: string; status: string }) => [check, status]),
    );
    expect(statuses).toMatchObject({ node: 'ok', secrets: 'ok', 'live journal': 'ok' });
  });

  it('[OA7] tells of secrets that no server would take', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'sibyl-doctor-'));
    writeFileSync(path.join(other, 'secrets'), 'not what was written', { mode: 0o400 });
    const { code, output } = await sibyl(['doctor', '--data-dir', other], { LANES: 'live' });
    rmSync(other, { recursive: true });
    expect(code).toBe(1);
    expect(output).toMatch(/failure\S* secrets .*is not a secrets file/);
  });

  it('looks at a folder that is named, and at nothing else', async () => {
    const copy = path.join(folder, 'examined');
    expect((await sibyl(['backup', copy])).code).toBe(0);
    // Of a server that has another folder.
    const elsewhere = { PORT: 'eighty', DATABASE_URL: 'postgres://127.0.0.1:9/sibyl' };
    const { code, output } = await sibyl(['doctor', '--data-dir', copy, '--json'], elsewhere);
    const { findings } = JSON.parse(output) as { findings: { check: string; detail: string }[] };
    const checks = findings.map(({ check }) => check);
    expect([code, checks]).toEqual([0, expect.arrayContaining(['platform', 'live journal'])]);
    expect(checks.filter((check) => /settings|port|database|sandbox/.test(check))).toEqual([]);
    expect(output).not.toContain(data);
    const nowhere = await sibyl(['doctor', '--data-dir', path.join(folder, 'not-there')]);
    expect([nowhere.code, nowhere.errors]).toEqual([3, expect.stringContaining('not-there')]);
  });

  it('names a setting that cannot be taken', async () => {
    const { code, output } = await sibyl(['doctor'], { PORT: 'eighty' });
    expect(code).toBe(1);
    expect(output).toContain('PORT=eighty');
  });
});

describe('[CL5] admin', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = await start();
    url = `http://127.0.0.1:${server.adminPort}`;
  });
  afterAll(() => server.close());

  const admin = (...args: readonly string[]): Promise<Ended> =>
    sibyl(['admin', ...args, '--url', url], { OPERATOR_TOKEN: operatorToken });

  it('has a command for every operation of the plane', async () => {
    const { output } = await sibyl(['admin', '--help']);
    for (const id of Object.keys(operatorOperations)) {
      expect(output).toContain(id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
    }
  });

  it('reports and acts, with reason', async () => {
    const reconcile = ['start-reconciliation', '--lane', 'live', '--reason', 'end of day'];
    const report = await admin(...reconcile, '--json');
    expect(report.code).toBe(0);
    expect(JSON.parse(report.output)).toMatchObject({ balanced: true, lane: 'live' });
    const last = await admin('get-reconciliation', '--lane', 'live', '--json');
    expect(JSON.parse(last.output)).toMatchObject({
      run: { state: 'done', reason: 'end of day' },
      report: JSON.parse(report.output),
    });
    const mute = await admin('set-platform-mode', '--lane', 'live', '--mode', 'read_only');
    expect(mute.code).toBe(2);
    expect(mute.errors).toContain('--reason');
    const paused = await admin(
      ...['set-platform-mode', '--lane', 'live', '--mode', 'read_only'],
      ...['--reason', 'drill', '--json'],
    );
    expect(JSON.parse(paused.output)).toMatchObject({ mode: 'read_only' });
    await admin(
      ...['set-platform-mode', '--lane', 'live', '--mode', 'normal', '--reason', 'drill over'],
    );
  });

  it('[OA6] is shown in words and tables, and finds the server by ADMIN_PORT', async () => {
    const port = String(server.adminPort);
    const { code, output, errors } = await sibyl(
      ['admin', 'start-reconciliation', '--lane', 'live', '--reason', 'end of day'],
      { OPERATOR_TOKEN: ` ${operatorToken} `, ADMIN_PORT: ` ${port} ` },
    );
    expect(code, errors).toBe(0);
    expect(errors).toMatch(/reconciling live \d+ commands/);
    expect(output).toMatch(/^balanced +yes$/m);
    expect(output).toMatch(/^ {2}RULE +HOLDS +CHECKED +DETAIL$/m);
    expect(output).toMatch(/^ {2}ledger_sums_to_zero +yes +\d+ +-$/m);
    expect(output).not.toMatch(/[{}[\]"]|_ms/);
    const lost = await sibyl(['admin', 'get-history', '--lane', 'live'], {
      OPERATOR_TOKEN: operatorToken,
      ADMIN_PORT: '0',
    });
    expect(lost.code).toBe(3);
    expect(lost.errors).toContain('--url');
  });

  it('[OA7] doctor has nothing to warn of beside a running server', async () => {
    const { code, output } = await sibyl(['doctor', '--json'], {
      LANES: 'live',
      PORT: String(server.port),
      ADMIN_PORT: String(server.adminPort),
    });
    expect(code).toBe(0);
    const { findings } = JSON.parse(output) as { findings: { check: string; status: string }[] };
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(findings.map(({ check }) => check)).toContain('operator port');
  });

  it('[OA7] doctor tells a port that another program has', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { code, output } = await sibyl(['doctor'], {
      LANES: 'live',
      PORT: port,
      ADMIN_PORT: '0',
    });
    other.close();
    expect(code).toBe(1);
    expect(output).toMatch(/failure\S* port .*set PORT to a free one/);
  });

  it('a refusal ends with 1 and its code, a wrong token with 3, no answer with 4', async () => {
    const refused = await admin(
      ...['halt-market', 'm_0000000000000000', '--lane', 'live', '--reason', 'test', '--json'],
    );
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.errors).error.code).toBe('MARKET_NOT_FOUND');
    const wrong = await sibyl(
      ['admin', 'get-reconciliation', '--lane', 'live', '--url', url, '--json'],
      { OPERATOR_TOKEN: 'some other token entirely' },
    );
    expect(wrong.code).toBe(3);
    const nobody = await sibyl(
      ['admin', 'get-reconciliation', '--lane', 'live', '--url', 'http://127.0.0.1:9', '--json'],
      { OPERATOR_TOKEN: operatorToken },
    );
    expect(nobody.code).toBe(4);
    expect(JSON.parse(nobody.errors).error.advice).toContain('SIBYL_ADMIN_URL');
  });

  it('a backup of a running server restores to what it held', async () => {
    const made = await admin('create-backup', '--reason', 'nightly', '--json');
    expect(made.code).toBe(0);
    const { folder: source, lanes, left_out: leftOut } = JSON.parse(made.output);
    expect(leftOut).toEqual([]);
    expect(source.startsWith(path.join(data, 'backups'))).toBe(true);
    const target = path.join(folder, 'from-online');
    const restored = await sibyl(['restore', source, '--data-dir', target, '--json']);
    expect(restored.code).toBe(0);
    const [copy] = JSON.parse(restored.output).lanes;
    expect([copy.seq, copy.headHash]).toEqual([lanes[0].seq, lanes[0].head_hash]);
    expect(existsSync(path.join(target, 'platform.db'))).toBe(true);
  });

  it('[CL26] and says that it has not the lane which does not run', async () => {
    const asleep = path.join(data, 'sandbox');
    mkdirSync(asleep);
    const made = await admin('create-backup', '--reason', 'nightly');
    rmSync(asleep, { recursive: true });
    expect([made.code, made.errors]).toEqual([0, expect.stringMatching(/^Left out: sandbox,/m)]);
  });

  it('data in use is left alone', async () => {
    const { code, errors } = await sibyl(['verify']);
    expect(code).toBe(3);
    expect(errors).toContain('in use');
  });
});
