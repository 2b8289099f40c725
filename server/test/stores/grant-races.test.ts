// Two at once with one code or one refresh token: exactly one gets anything, and the other ends it for both.
import { afterEach, describe, expect, it } from 'vitest';
import type { Exchanged } from '../../src/ports/grants.ts';
import type { PlatformStore } from '../../src/ports/platform.ts';
import { openPlatform } from '../../src/stores/open-stores.ts';
import { app } from '../ports/apps-suite.ts';
import { code, grant, pair } from '../ports/grants-suite.ts';
import { user } from '../ports/platform-suite.ts';
import { folderHarness, openPostgresPlatform, postgresHarness, usePostgres } from './databases.ts';

const NOW = 1_790_000_000_000;
const LATER = NOW + 1_000_000;

type Race = (store: PlatformStore, id: string, runner: string) => Promise<Exchanged>;

const overCode: Race = ({ grants }, id, runner) =>
  grants.exchangeCode(`oac_${id}`, pair(`${id}_${runner}`, `grt_${id}`), LATER, NOW);

const overRefresh: Race = ({ grants }, id, runner) =>
  grants.rotate(`refresh_${id}_first`, pair(`${id}_${runner}`, `grt_${id}`), NOW);

/** Each round has a grant of its own; two stores of one database race as two processes would. */
async function run(
  stores: readonly [PlatformStore, PlatformStore],
  rounds: number,
  race: Race,
): Promise<void> {
  const [one, other] = stores;
  await one.addUser(user('ada'));
  await one.apps.add(app('a'), 1);
  for (let round = 0; round < rounds; round += 1) {
    const id = `r${round}`;
    await one.grants.add(grant(id), code(id), Infinity);
    if (race === overRefresh) await overCode(one, id, 'first');
    const outcomes = await Promise.all([race(one, id, 'left'), race(other, id, 'right')]);
    expect([...outcomes].sort(), `round ${round}`).toEqual(['exchanged', 'reused']);
    const issued = await Promise.all(
      ['left', 'right'].map((runner) => one.grants.tokenById(`access_${id}_${runner}`)),
    );
    expect(issued.map((token) => token !== null)).toEqual(
      outcomes.map((outcome) => outcome === 'exchanged'),
    );
    expect((await one.grants.grantById(`grt_${id}`))?.revokedAtMs).toBe(NOW);
  }
}

describe('grants', () => {
  const postgres = usePostgres();
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function inSqlite(race: Race): Promise<void> {
    const harness = await folderHarness(openPlatform);
    const store = await harness.open();
    closing.push(() => store.close(), harness.dispose);
    await run([store, store], 1_000, race);
  }

  async function inPostgres(race: Race): Promise<void> {
    const harness = await postgresHarness(postgres, openPostgresPlatform);
    const stores = [await harness.open(), await harness.open()] as const;
    closing.push(
      () => stores[0].close(),
      () => stores[1].close(),
      harness.dispose,
    );
    await run(stores, 50, race);
  }

  it('[OAU2] of two with one code at once one wins, 1,000 times in SQLite', () =>
    inSqlite(overCode));

  it('[OAU3] of two with one refresh token at once one wins, 1,000 times in SQLite', () =>
    inSqlite(overRefresh));

  it('[OAU2] of two with one code at once one wins in PostgreSQL', () => inPostgres(overCode));

  it('[OAU3] of two with one refresh token at once one wins in PostgreSQL', () =>
    inPostgres(overRefresh));
});
