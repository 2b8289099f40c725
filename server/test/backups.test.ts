// What a backup of a running server leaves in its folder, and what it clears away.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asAccountId, DEFAULT_PARAMETERS, type LaneName } from '@sibyl/engine';
import { Lane, systemClock } from '@sibyl/lane';
import { expect, it } from 'vitest';
import { systemRandom } from '../src/adapters/node/random.ts';
import { openSecrets } from '../src/adapters/node/secrets.ts';
import { boot } from '../src/boot.ts';
import { silentLog } from '../src/gateway/log.ts';
import { backup, type RestorePoint, restore } from '../src/maintenance/backup.ts';
import { listBackups, noteVerified } from '../src/maintenance/backup-list.ts';
import { lanesIn } from '../src/maintenance/data-folder.ts';
import { readConfig } from '../src/settings/config.ts';
import {
  laneFolder,
  openJournal,
  openOperators,
  openPlatform,
  openSnapshots,
  openWebhooks,
} from '../src/stores/open-stores.ts';

const RESTORER = path.resolve(import.meta.dirname, '../src/maintenance/backup.ts');
const OPERATOR_TOKEN = 'a token that is long enough';

it('[DB13] a backup removes what was cut off before it, and nothing else', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sibyl-backups-'));
  const backups = path.join(dataDir, 'backups');
  const cutOff = '20260101T000000000Z.partial';
  const others = ['20260101T000000001Z', 'mine.partial', '20260101T000000000Z.partial.kept'];
  const environment = { PORT: '0', ADMIN_PORT: '0', DATA_DIR: dataDir, LANES: 'live' };
  const server = await boot(readConfig({ ...environment, OPERATOR_TOKEN }, dataDir), silentLog);
  for (const name of [cutOff, ...others]) {
    mkdirSync(path.join(backups, name, 'live'), { recursive: true });
    writeFileSync(path.join(backups, name, 'live', 'journal.db'), 'half of it');
  }
  const answer = await fetch(`http://127.0.0.1:${server.adminPort}/admin/v1/backups`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'a test' }),
  });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { folder: string } };
  expect(existsSync(path.join(data.folder, 'backup.json'))).toBe(true);
  expect(readdirSync(backups).sort()).toEqual([...others, path.basename(data.folder)].sort());
  await server.close();
  rmSync(dataDir, { recursive: true });
});

async function makeLane(dataDir: string, name: LaneName, accounts: number): Promise<void> {
  const folder = laneFolder(dataDir, name);
  const journal = await openJournal(folder);
  const lane = await Lane.open({
    ...{ name, parameters: DEFAULT_PARAMETERS, journal, clock: systemClock },
    snapshots: openSnapshots(folder),
  });
  for (let count = 0; count < accounts; count += 1) {
    const accountId = asAccountId(`acc_${count}`);
    await lane.submit({
      body: { type: 'open_account', accountId, mode: name, parentId: null, referrerId: null },
      actor: { kind: 'system' },
      requestId: 'test',
    });
  }
  await lane.close();
  await journal.close();
}

/** The stores that a data folder with lanes has, all of them empty. */
async function makeStores(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  openSecrets(dataDir, systemRandom);
  for (const open of [openOperators, openWebhooks, openPlatform])
    await (await open(dataDir)).close();
}

it('[DB15] a store that was opened and not used lets go of its file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-unused-'));
  await makeStores(folder);
  await makeStores(folder);
  await makeStores(folder);
  rmSync(folder, { recursive: true });
});

it('[CL12] a number of a command ends the lane that is named, and is refused where it could be of either', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-both-'));
  const [data, copy] = [path.join(folder, 'data'), path.join(folder, 'copy')];
  await makeStores(data);
  await makeLane(data, 'live', 4);
  await makeLane(data, 'sandbox', 9);
  const { lanes } = await backup(data, copy, () => undefined);
  const whole = new Map(lanes.map(({ lane, seq }) => [lane, seq]));
  let count = 0;
  const restored = async (point: RestorePoint) => {
    count += 1;
    const ends = await restore(copy, path.join(folder, `to-${count}`), point, () => undefined);
    return Object.fromEntries(ends.map(({ lane, seq }) => [lane, seq]));
  };
  const sandbox = whole.get('sandbox');
  expect(await restored({ lane: 'live', seq: 2 })).toEqual({ live: 2, sandbox });
  await expect(restored({ seq: 2 })).rejects.toThrow('--lane');
  await expect(restored({ lane: 'live', seq: 4000 })).rejects.toThrow(/live lane .* ends at/);
  for (const refused of ['to-2', 'to-3'])
    expect(existsSync(path.join(folder, refused))).toBe(false);
  await expect(restored({ lane: 'live' })).rejects.toThrow('say where');
  await expect(restored({ atMs: Date.now() + 3_600_000 })).rejects.toThrow('the backup was made');
  await expect(restored({ atMs: 1 })).rejects.toThrow('nothing of the live lane');
  expect(readdirSync(path.join(folder, `to-${count}`))).toEqual([]);
  rmSync(folder, { recursive: true });
});

it('[CL14] a folder into which a restore was killed is refused, by a start too', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-killed-'));
  const [data, copy, target] = ['data', 'copy', 'target'].map((name) => path.join(folder, name));
  await makeStores(data!);
  await makeLane(data!, 'live', 4);
  await backup(data!, copy!, () => undefined);
  const program = `import { restore } from ${JSON.stringify(RESTORER)};
    await restore(process.argv[2], process.argv[3], {}, () => process.kill(process.pid, 'SIGKILL'));`;
  const args = [path.join(folder, 'killed.mjs'), copy!, target!];
  writeFileSync(args[0]!, program);
  const { signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
  expect(existsSync(laneFolder(target!, 'live'))).toBe(true);
  expect(() => lanesIn(target!)).toThrow('was cut off');
  const environment = { PORT: '0', ADMIN_PORT: '0', DATA_DIR: target!, LANES: 'live' };
  await expect(boot(readConfig(environment, folder), silentLog)).rejects.toThrow('was cut off');
  rmSync(target!, { recursive: true });
  await restore(copy!, target!, {}, () => undefined);
  expect(lanesIn(target!)).toEqual(['live']);
  // Without the users a start would begin as if there had never been any.
  rmSync(path.join(target!, 'platform.db'));
  await expect(boot(readConfig(environment, folder), silentLog)).rejects.toThrow('platform.db');
  rmSync(folder, { recursive: true });
});

it('[CL11] a backup is verified only by what was found in this very one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-list-'));
  const data = path.join(folder, 'data');
  const place = path.join(folder, 'backups');
  expect(listBackups(place)).toEqual([]);
  await makeStores(data);
  await makeLane(data, 'live', 2);
  const { lanes } = await backup(data, path.join(place, 'one'), () => undefined);
  const seen = () => listBackups(place).map(({ verifiedAt }) => verifiedAt !== null);
  const [copied] = lanes;
  expect(noteVerified(path.join(place, 'one'), [{ ...copied!, seq: 1 }])).toBe(false);
  expect(noteVerified(data, lanes)).toBe(false);
  expect(seen()).toEqual([false]);
  expect(noteVerified(path.join(place, 'one'), lanes)).toBe(true);
  expect(seen()).toEqual([true]);
  const file = path.join(place, 'one', 'verified.json');
  writeFileSync(
    file,
    JSON.stringify({ verified_at: 'now', lanes: [{ ...copied, headHash: '0' }] }),
  );
  expect(seen()).toEqual([false]);
  writeFileSync(file, 'not what was written');
  expect(seen()).toEqual([false]);
  rmSync(folder, { recursive: true });
});
