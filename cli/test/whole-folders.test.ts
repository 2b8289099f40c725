// What a data folder and a backup must have, and what verify does without changing anything.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { boot, createLog, readConfig, type Server, silentLog } from '@sibyl/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alterDatabase } from '../../server/test/alter-database.ts';
import { runSibyl } from './run-sibyl.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-whole-'));
const data = path.join(folder, 'data');
const backup = path.join(folder, 'backup');
/** As a kill leaves the folder: what was committed last is in the logs of the files. */
const killed = path.join(folder, 'killed');

const sibyl = (...args: readonly string[]) => runSibyl(args, { DATA_DIR: data });

function start(dataDir: string, log = silentLog): Promise<Server> {
  const environment = { PORT: '0', ADMIN_PORT: '0', DATA_DIR: dataDir, LANES: 'live' };
  return boot(readConfig(environment, folder), log);
}

async function linesOfStart(dataDir: string): Promise<string> {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  await (await start(dataDir, createLog('warn', destination))).close();
  return lines.join('');
}

beforeAll(async () => {
  const server = await start(data);
  cpSync(data, killed, { recursive: true });
  await server.close();
  await (await start(path.join(folder, 'other'))).close();
  expect((await sibyl('backup', backup)).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Listed {
  readonly files: readonly { readonly path: string }[];
}

/** A copy of the folder that a test may spoil. */
function spoiled(of: string, name: string, spoil: (copy: string) => void): string {
  const copy = path.join(folder, name);
  cpSync(of, copy, { recursive: true });
  spoil(copy);
  return copy;
}

async function expectRefused(copy: string, told: RegExp, code = 3): Promise<void> {
  const verified = await sibyl('verify', '--data-dir', copy);
  expect([verified.code, verified.errors]).toEqual([code, expect.stringMatching(told)]);
  expect(verified.output).not.toContain('everything holds');
}

describe('[CL34] a backup', () => {
  it('lists every file, and is refused where one of them is missing', async () => {
    const { files } = JSON.parse(readFileSync(path.join(backup, 'backup.json'), 'utf8')) as Listed;
    const names = files.map((file) => file.path);
    expect(names).toEqual([
      ...['live/journal.db', 'live/snapshots/snap-0'],
      ...names.filter((name) => /^live\/snapshots\/snap-[1-9]/.test(name)),
      ...['operators.db', 'platform.db', 'secrets', 'webhooks.db'],
    ]);
    for (const name of names) {
      const file = path.join(backup, name);
      renameSync(file, `${file}.away`);
      await expectRefused(backup, new RegExp(`${name} is missing in the backup`), 1);
      const target = path.join(folder, 'from-less');
      const restored = await sibyl('restore', backup, '--data-dir', target);
      expect([restored.code, restored.errors]).toEqual([3, expect.stringContaining(name)]);
      expect(existsSync(target)).toBe(false);
      renameSync(`${file}.away`, file);
    }
    const whole = await sibyl('verify', '--data-dir', backup);
    expect([whole.code, whole.output]).toEqual([0, expect.stringContaining('each as listed')]);
  });

  it('[CL35] whose files are read-only is verified, and restored as files that its owner may write', async () => {
    const copy = spoiled(backup, 'read-only', (to) => {
      for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
        const file = path.join(to, name);
        if (statSync(file).isFile()) chmodSync(file, 0o400);
      }
    });
    expect((await sibyl('verify', '--data-dir', copy)).code).toBe(0);
    const target = path.join(folder, 'from-read-only');
    expect((await sibyl('restore', copy, '--data-dir', target)).code).toBe(0);
    const stores = ['platform.db', 'webhooks.db', 'operators.db', 'live/snapshots/snap-0'];
    for (const name of stores) expect(statSync(path.join(target, name)).mode & 0o777).toBe(0o600);
  });

  it('is refused where a file is another than was written', async () => {
    const copy = spoiled(backup, 'exchanged', (to) => {
      alterDatabase(path.join(to, 'webhooks.db'), 'create table another (id integer)');
    });
    await expectRefused(copy, /webhooks\.db has (?:another digest|\d+ bytes instead)/, 1);
    const target = path.join(folder, 'from-exchanged');
    expect((await sibyl('restore', copy, '--data-dir', target)).errors).toContain('webhooks.db');
  });

  it('[CL41] is restored into an empty folder alone, and says how else', async () => {
    const { code, errors } = await sibyl('restore', backup, '--data-dir', data);
    const told = `data is not empty, and nothing in it is overwritten: name a new folder, or move this one away first: mv ${data} ${data}.before`;
    expect([code, errors]).toEqual([3, expect.stringContaining(told)]);
  });

  it('[CL41] of a running server starts, once restored, without a word of a sudden end', async () => {
    const running = path.join(folder, 'of-running');
    const left = spoiled(killed, 'left-running', () => undefined);
    const made = await sibyl('backup', running, '--data-dir', left);
    expect(made.code, made.errors).toBe(0);
    const target = path.join(folder, 'restored-running');
    expect((await sibyl('restore', running, '--data-dir', target)).code).toBe(0);
    expect(await linesOfStart(target)).not.toContain('ended without warning');
    // The server of the folder itself was killed, so its start warns.
    const copy = spoiled(killed, 'killed-again', () => undefined);
    expect(await linesOfStart(copy)).toContain('ended without warning');
  });

  it('of an earlier build, which has no list, is refused as such', async () => {
    const copy = spoiled(backup, 'earlier-backup', (to) => {
      const file = path.join(to, 'backup.json');
      const { files: _, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Listed;
      writeFileSync(file, JSON.stringify(rest));
    });
    const earlier = /was written by an earlier build/;
    await expectRefused(copy, earlier);
    const target = path.join(folder, 'from-earlier');
    const restored = await sibyl('restore', copy, '--data-dir', target);
    expect([restored.code, restored.errors]).toEqual([3, expect.stringMatching(earlier)]);
    writeFileSync(path.join(copy, 'backup.json'), '{"version": "0.1.0", "lan');
    await expectRefused(copy, /backup\.json is damaged/, 1);
  });
});

describe('[CL35] verify', () => {
  it.each([
    ['live/journal.db', /journal\.db is missing: .* sibyl restore/],
    ['platform.db', /platform\.db is missing .* restore the newest backup/],
    ['webhooks.db', /webhooks\.db is missing .* sibyl rebuild --webhooks/],
    ['operators.db', /operators\.db is missing .* --anew/],
    ['secrets', /secrets is missing: .* copy it there from the newest backup/],
  ])('refuses a data folder without %s as a start does', async (name, told) => {
    const copy = spoiled(data, `without-${path.basename(name)}`, (to) =>
      rmSync(path.join(to, name)),
    );
    await expectRefused(copy, told);
    await expect(start(copy)).rejects.toThrow(told);
    const target = path.join(folder, `backup-without-${path.basename(name)}`);
    const made = await sibyl('backup', target, '--data-dir', copy);
    expect([made.code, made.errors]).toEqual([3, expect.stringMatching(told)]);
  });

  it('[CL42] refuses the secrets of another data folder, as a start and doctor do', async () => {
    const acted = spoiled(data, 'acted', () => undefined);
    const added = await sibyl('operator', 'add', 'ida', '--data-dir', acted);
    expect(added.code, added.errors).toBe(0);
    const copy = spoiled(acted, 'other-secrets', (to) => {
      rmSync(path.join(to, 'secrets'));
      copyFileSync(path.join(folder, 'other', 'secrets'), path.join(to, 'secrets'));
    });
    const told = /secrets belongs to another data folder: .* from a backup of this folder/;
    await expectRefused(copy, told);
    await expect(start(copy)).rejects.toThrow(told);
    const doctor = await sibyl('doctor', '--data-dir', copy);
    expect([doctor.code, doctor.output]).toEqual([1, expect.stringMatching(told)]);
    // The cause, and nothing that only follows from it.
    expect(doctor.output).toMatch(/ok +\S* *operators/);
    expect(doctor.output).not.toContain('audit log was rewritten');
  });

  it('refuses a folder of an earlier build as such, whatever else it lacks', async () => {
    const copy = spoiled(data, 'earlier', (to) => {
      const file = path.join(to, 'live', 'journal.db');
      alterDatabase(file, "update migration set digest = 'another'");
      rmSync(path.join(to, 'webhooks.db'));
    });
    await expectRefused(copy, /journal\.db was written by an earlier build/);
  });

  it('changes nothing, with or without logs beside the files', async () => {
    expect(statSync(path.join(killed, 'live', 'journal.db-wal')).size).toBeGreaterThan(0);
    for (const one of [data, killed, backup]) {
      if (one === backup) await sibyl('verify', '--data-dir', one);
      const before = contentsOf(one);
      const { code, output } = await sibyl('verify', '--data-dir', one);
      expect([code, output]).toEqual([0, expect.stringContaining('everything holds')]);
      expect(contentsOf(one)).toEqual(before);
    }
  });

  it('leaves a folder in use alone', async () => {
    const copy = spoiled(data, 'in-use', () => undefined);
    const server = await start(copy);
    await expectRefused(copy, /is in use: stop the server/);
    await server.close();
  });
});

/** Every file but the note of a verification, by its digest. */
function contentsOf(below: string): Readonly<Record<string, string>> {
  const entries = readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'verified.json')
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]);
  return Object.fromEntries(entries);
}

it('[CL36] rebuild --webhooks begins an empty store where it is lost, and only there', async () => {
  const copy = spoiled(data, 'new-webhooks', (to) => rmSync(path.join(to, 'webhooks.db')));
  const begun = await sibyl('rebuild', '--webhooks', '--data-dir', copy);
  expect([begun.code, begun.output + begun.errors]).toEqual([
    0,
    expect.stringContaining('begun anew'),
  ]);
  await (await start(copy)).close();
  const again = await sibyl('rebuild', '--webhooks', '--data-dir', copy);
  expect([again.code, again.errors]).toEqual([3, expect.stringContaining('is there')]);
});

describe('[CL35] what can be made anew', () => {
  it('is a warning: a damaged read model', async () => {
    const copy = spoiled(data, 'read-model', (to) => {
      const file = path.join(to, 'live', 'read-model.db');
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.with(bytes.length - 1, bytes.at(-1)! ^ 1));
    });
    const { code, output } = await sibyl('verify', '--data-dir', copy);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/warning: .*read-model\.db is damaged: .* sibyl rebuild/),
    ]);
    await (await start(copy)).close();
    expect((await sibyl('verify', '--data-dir', copy)).output).not.toContain('warning');
  });

  it('is mended by a start: a damaged first snapshot', async () => {
    const file = path.join(data, 'live', 'snapshots', 'snap-0');
    const copy = spoiled(data, 'first-snapshot', (to) => {
      const first = path.join(to, 'live', 'snapshots', 'snap-0');
      writeFileSync(first, readFileSync(file).with(120, 0));
    });
    await (await start(copy)).close();
    expect(readFileSync(path.join(copy, 'live', 'snapshots', 'snap-0'))).toEqual(
      readFileSync(file),
    );
  });
});
