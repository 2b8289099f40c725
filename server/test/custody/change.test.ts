// A start with another custody than the records of live name: refused, unless it is meant.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { asAccountId, DEFAULT_PARAMETERS } from '@sibyl/engine';
import { Lane, systemClock } from '@sibyl/lane';
import { usdt } from '@sibyl/money';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MemoryTillStore } from '../../src/adapters/memory/till.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { openSecrets } from '../../src/adapters/node/secrets.ts';
import { examine } from '../../src/maintenance/doctor.ts';
import { readConfig } from '../../src/settings/config.ts';
import { openCustody } from '../../src/stores/open-custody.ts';
import {
  laneFolder,
  openJournal,
  openOperators,
  openPlatform,
  openSnapshots,
  openWebhooks,
} from '../../src/stores/open-stores.ts';
import { startServer, temporaryFolder } from '../server-process.ts';

const OWNER = asAccountId('acc_anna');
const AMOUNT = usdt(5_000_000n);
const BANK2 = {
  CUSTODY_URL: 'http://127.0.0.1:9',
  CUSTODY_NAME: 'bank2',
  CUSTODY_SECRET: 'a secret that only the two of us know',
};
const data = temporaryFolder();
let lane: Lane;
let closeLane: () => Promise<void>;

async function openLane(): Promise<void> {
  const folder = laneFolder(data.folder, 'live');
  const journal = await openJournal(folder);
  const snapshots = openSnapshots(folder);
  const parameters = DEFAULT_PARAMETERS;
  lane = await Lane.open({ name: 'live', parameters, journal, snapshots, clock: systemClock });
  closeLane = async () => {
    await lane.close();
    await journal.close();
  };
}

/** The bank has reported a deposit, and an operator has booked another by hand. */
beforeAll(async () => {
  openSecrets(data.folder, systemRandom, false);
  await (await openOperators(data.folder)).close();
  await (await openWebhooks(data.folder)).close();
  await (await openPlatform(data.folder)).close();
  await openLane();
  const known = { custody: 'bank', reference: 'wire-1', confirmations: 1, reason: null } as const;
  const bodies = [
    { type: 'open_account', accountId: OWNER, mode: 'live', parentId: null, referrerId: null },
    { type: 'report_deposit', accountId: OWNER, amount: AMOUNT, state: 'confirmed', ...known },
    { type: 'deposit', accountId: OWNER, amount: AMOUNT, reference: 'by hand' },
  ] as const;
  for (const body of bodies) {
    const asked = { body, actor: { kind: 'system' }, requestId: 'test' } as const;
    expect((await lane.submit(asked)).answer).toMatchObject({ ok: true });
  }
  await closeLane();
});
afterAll(() => data.remove());

async function opened(environment: Readonly<Record<string, string>>): Promise<string> {
  const config = readConfig({ ...environment }, data.folder);
  const parts = {
    platform: { till: new MemoryTillStore() },
    live: lane,
    log: { write: () => undefined },
  };
  const { custody, close } = await openCustody(config, parts);
  await close();
  return custody.name;
}

it('[CU28] a custody that the records do not name keeps nothing until CUSTODY_WAS names the former one', async () => {
  await openLane();
  try {
    await expect(opened({})).rejects.toThrow(/was bank, .* say local, .*set CUSTODY_WAS=bank /);
    await expect(opened(BANK2)).rejects.toThrow(/was bank, .* say bank2: .*CUSTODY_NAME=bank /);
    await expect(opened({ ...BANK2, CUSTODY_WAS: 'local' })).rejects.toThrow(/was bank, /);
    expect(await opened({ CUSTODY_WAS: 'bank' })).toBe('local');
    expect(await opened({ ...BANK2, CUSTODY_WAS: 'old, bank' })).toBe('bank2');
    expect(await opened({ ...BANK2, CUSTODY_NAME: 'bank' })).toBe('bank');
  } finally {
    await closeLane();
  }
});

it('[CU28] a start whose CUSTODY_URL was forgotten says so in one sentence, and doctor before it', async () => {
  const environment = { LANES: 'live', PORT: '0', ADMIN_PORT: '0', DATA_DIR: data.folder };
  const found = async (more: Readonly<Record<string, string>>) => {
    const findings = await examine({ ...environment, ...more }, data.folder);
    return findings.find(({ check }) => check === 'custody');
  };
  // Killed, not stopped: what the bank reported is in the journal and in no snapshot.
  const folder = laneFolder(data.folder, 'live');
  for (const seq of openSnapshots(folder)
    .list()
    .filter((each) => each > 0)) {
    rmSync(path.join(folder, 'snapshots', `snap-${seq}`));
  }
  const told = expect.stringContaining('was bank, and the settings say local');
  expect(await found({})).toEqual({ check: 'custody', status: 'failure', detail: told });
  expect(await found({ CUSTODY_WAS: 'bank' })).toMatchObject({ status: 'ok' });
  const start = startServer({ dataDir: data.folder, environment: { LANES: 'live' } });
  const refused = await start.catch((error: unknown) => String(error));
  expect(refused).toContain('ended with 1:');
  expect(refused).toMatch(/^sibyl: the custody of .* was bank, .* CUSTODY_WAS=bank/m);
  expect(refused).not.toMatch(/^ +at /m);
});
