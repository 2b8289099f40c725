// Upgrades from end to end: three builds, two boundaries, real files, real processes.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_PARAMETERS } from '@sibyl/engine';
import { loadFrozen } from '@sibyl/lane/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goldenOf, type Pinned, readRecording } from '../../../lane/test/golden.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { openSecrets } from '../../src/adapters/node/secrets.ts';
import { silentLog } from '../../src/gateway/log.ts';
import { findRecords } from '../../src/stores/records.ts';
import { Build, type Change } from './builds.ts';
import type { LaneRunEnd } from './lane-run.ts';

const root = mkdtempSync(path.join(tmpdir(), 'sibyl-upgrades-'));
const at = (name: string): string => path.join(root, name);

const pinned = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../lane/frozen/golden.json'), 'utf8'),
) as readonly Pinned[];

let a: Build;
let b: Build;
let c: Build;
let endOfA: LaneRunEnd;
let endOfB: LaneRunEnd;
let endOfC: LaneRunEnd;

/** Fees at a whole price are rounded down instead of up; the state is written as before, but for its format. */
const CHANGES_OF_B: readonly Change[] = [
  [
    'engine/src/fee/taker.ts',
    'return quotient * RATE_ONE < product ? quotient + 1 : quotient;',
    'return quotient;',
  ],
  ['engine/src/snapshot/record.ts', /SNAPSHOT_FORMAT = \d+/, 'SNAPSHOT_FORMAT = 1001'],
];

/** The state has one more field, and an event names its field in another way. */
const CHANGES_OF_C: readonly Change[] = [
  ['engine/src/snapshot/record.ts', /SNAPSHOT_FORMAT = \d+/, 'SNAPSHOT_FORMAT = 1002'],
  [
    'engine/src/snapshot/encode.ts',
    'format: SNAPSHOT_FORMAT,',
    "format: SNAPSHOT_FORMAT, generation: 'third',",
  ],
  [
    'engine/src/snapshot/decode.ts',
    '  const state = createState(header',
    "  assert(header.generation === 'third', 'no generation');\n  const state = createState(header",
  ],
  [
    'engine/src/template/publish.ts',
    'template: definition, version }',
    'template: definition, revision: version }',
  ],
  [
    'history/src/projector/projection.ts',
    'const { template, version } = event;',
    'const { template, revision: version } = event;',
  ],
];

const FORMAT = (format: number, more = ''): string =>
  `*carry(lines) { for (const line of lines) yield line.is === 'state' ? { ...line, format: ${format}${more} } : line; }`;
const BOUNDARY_TO_B = `${FORMAT(1001)}, retell: (committed) => committed`;
const BOUNDARY_TO_C = `${FORMAT(1002, ", generation: 'third'")}, retell: ({ command, outcome, hash }) => ({
  command, hash, outcome: { ...outcome, events: outcome.events.map((event) => event.type === 'template_published' ? { ...event, revision: event.version } : event) } })`;

/** Stores of users, keys, webhooks and operators: `verify` and `backup` refuse a folder without them. */
async function makeStores(dataDir: string): Promise<void> {
  mkdirSync(dataDir);
  const records = await findRecords({ dataDir, databaseUrl: null }, silentLog);
  await records.open(openSecrets(dataDir, systemRandom));
  await records.close();
}

beforeAll(async () => {
  await makeStores(at('data'));
  a = Build.first(at('a'));
  b = a.next(at('b'), BOUNDARY_TO_B, CHANGES_OF_B);
  c = b.next(at('c'), BOUNDARY_TO_C, CHANGES_OF_C);
  const run = { dataDir: at('data'), commands: 300 };
  endOfA = a.live({ ...run, seed: 1 });
  cpSync(at('data'), at('data-of-a'), { recursive: true });
  endOfB = b.live({ ...run, seed: 2 });
  endOfC = c.live({ ...run, seed: 3 });
});

afterAll(() => rmSync(root, { recursive: true }));

describe('upgrades', () => {
  it('[UP2] a frozen engine comes to what was pinned when it ran, and no two begin with the same state', () => {
    const frozen = [a.logic, b.logic].map((logic) =>
      loadFrozen(logic, path.join(c.folder, 'lane/frozen')),
    );
    for (const { recording, outcomes, state } of pinned) {
      expect(goldenOf(frozen[0]!, readRecording(recording))).toEqual({ outcomes, state });
    }
    const begun = frozen.map((engine) =>
      engine.stateHash(engine.createState('live', DEFAULT_PARAMETERS)),
    );
    expect(new Set(begun).size).toBe(2);
  });

  it('[UP3] verify proves a journal of three engines from its first command on, each stretch by its own', () => {
    const [first, second, third] = [a.logic, b.logic, c.logic];
    expect(endOfB.upgraded).toEqual([
      `command ${endOfA.seq + 1} upgraded the lane from engine logic ${first} to ${second}`,
    ]);
    expect(endOfC.upgraded).toEqual([
      `command ${endOfB.seq + 1} upgraded the lane from engine logic ${second} to ${third}`,
    ]);
    const { code, output } = c.sibyl('verify', '--data-dir', at('data'), '--json');
    expect(output).toContain(endOfC.stateHash);
    expect(code).toBe(0);
    expect(JSON.parse(output).verified[0].stretches).toEqual([
      { logic: first, firstSeq: 1, lastSeq: endOfA.seq },
      { logic: second, firstSeq: endOfA.seq + 1, lastSeq: endOfB.seq },
      { logic: third, firstSeq: endOfB.seq + 1, lastSeq: endOfC.seq },
    ]);
    const { output: found } = c.sibyl('doctor', '--data-dir', at('data'));
    expect(found).toContain(`logic ${first} ran 1 to ${endOfA.seq}, logic ${second} ran`);
  });

  it('[UP6] history that is rebuilt over two boundaries equals the one that was there all along', () => {
    expect(c.sibyl('rebuild', '--data-dir', at('data')).code).toBe(0);
    const after = c.live({ dataDir: at('data'), commands: 0, seed: 4 });
    expect(after.history).toEqual(endOfC.history);
    expect(after.upgraded).toEqual([]);
  });

  it('[UP4] a backup of the first build is restored by the third, and goes on', () => {
    expect(a.sibyl('backup', at('backup'), '--data-dir', at('data-of-a')).code).toBe(0);
    const { code, output } = c.sibyl('restore', at('backup'), '--data-dir', at('restored'));
    expect(output).toContain(`live: ${endOfA.seq}`);
    expect(code).toBe(0);
    const end = c.live({ dataDir: at('restored'), commands: 0, seed: 5 });
    expect(end.upgraded).toHaveLength(2);
    expect(end.history).toEqual(endOfA.history);
  });

  it('[UP5] an upgrade that is killed between two boundaries, or after them, is finished by the next start', () => {
    for (const killAfter of [1, 2]) {
      const dataDir = at(`killed-${killAfter}`);
      cpSync(at('data-of-a'), dataDir, { recursive: true });
      expect(c.die({ dataDir, commands: 0, seed: 6, killAfter })).toBe(true);
      const end = c.live({ dataDir, commands: 50, seed: 7 });
      expect(end.upgraded).toHaveLength(2 - killAfter);
      expect(end.stretches.map(({ logic }) => logic)).toEqual([a.logic, b.logic, c.logic]);
      const seq = endOfA.seq + 1;
      expect(end.stretches[1]).toEqual({ logic: b.logic, firstSeq: seq, lastSeq: seq });
    }
  });

  it('[UP7] an older build refuses the folder of a newer one and says both numbers', () => {
    const dataDir = at('newer');
    cpSync(at('data'), dataDir, { recursive: true });
    expect(() => a.live({ dataDir, commands: 0, seed: 8 })).toThrow(
      `is of engine logic ${c.logic}, and this build has ${a.logic}`,
    );
    const { code, output } = a.sibyl('doctor', '--data-dir', dataDir);
    expect(output).toContain(`this build has logic ${a.logic}: use the newer one`);
    expect(code).not.toBe(0);
  });
});
