// Builders in either database, beside the users that they are.
import type { Kysely } from 'kysely';
import type {
  ApplicationAddition,
  Approval,
  BuilderPage,
  BuilderRecord,
  BuilderStore,
  DecisionRefused,
  LoadTestGrant,
  NewApplication,
  Track,
} from '../../ports/builders.ts';
import type { PlatformChange, SavedAnswer, TierChange } from '../../ports/platform.ts';
import { saveAnswer } from './answers.ts';
import type { BuilderRow } from './apps-schema.ts';
import { recordChange, userBy } from './platform-queries.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

type Db = Kysely<PlatformTables>;

/** In place of a multiplier, which is 1 or more. */
const UNCAPPED = 0;

export class SqlBuilderStore implements BuilderStore {
  readonly #database: StoreDatabase<PlatformTables>;
  readonly #tell: (change: PlatformChange) => void;

  constructor(database: StoreDatabase<PlatformTables>, tell: (change: PlatformChange) => void) {
    this.#database = database;
    this.#tell = tell;
  }

  of(userId: string): Promise<BuilderRecord | null> {
    return readOne(this.#database.reads, userId);
  }

  async page({ limit, status, after }: BuilderPage): Promise<readonly BuilderRecord[]> {
    let query = this.#database.reads
      .selectFrom('builders')
      .selectAll()
      .orderBy('applied_at_ms')
      .orderBy('user_id')
      .limit(limit);
    if (status !== null) query = query.where('application_status', '=', status);
    if (after !== null) {
      const { appliedAtMs, userId } = after;
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('applied_at_ms', 'user_id'), '>', tuple(appliedAtMs, userId)),
      );
    }
    return (await query.execute()).map(recordOf);
  }

  cohort(track: Track): Promise<number> {
    return countOf(this.#database.reads, track);
  }

  apply(application: NewApplication, saved?: SavedAnswer): Promise<ApplicationAddition> {
    const { userId, track, atMs } = application;
    return this.#database.write(async (tx) => {
      const known = await readOne(tx, userId);
      if (known?.application.status === 'in_review') return 'in_review';
      if (known?.approvedTrack === track) return 'held';
      const told = applicationRow(application);
      if (known === null) {
        await tx
          .insertInto('builders')
          .values({ user_id: userId, created_at_ms: atMs, ...NOTHING_YET, ...told })
          .execute();
      } else {
        await tx.updateTable('builders').set(told).where('user_id', '=', userId).execute();
      }
      await saveAnswer(tx, saved);
      return 'added';
    });
  }

  async approve(approval: Approval): Promise<BuilderRecord | DecisionRefused> {
    const { userId, change, agreedRate, note, cohortMax } = approval;
    let lifted: readonly string[] = [];
    const approved = await this.#database.write(async (tx) => {
      const known = await readOne(tx, userId);
      if (known?.application.status !== 'in_review') return 'no_application';
      const { track } = known.application;
      if ((await countOf(tx, track)) >= cohortMax) return 'cohort_full';
      await tx
        .updateTable('builders')
        .set({
          approved_track: track,
          approved_name: known.name,
          approved_at_ms: change.atMs,
          agreed_rate: agreedRate === 'uncapped' ? UNCAPPED : agreedRate,
          application_status: 'approved',
          decided_at_ms: change.atMs,
          decided_by: change.actor,
          note,
        })
        .where('user_id', '=', userId)
        .execute();
      lifted = await setTiers(tx, userId, track, change);
      return (await readOne(tx, userId))!;
    });
    if (typeof approved === 'string') return approved;
    this.#tell({ kind: 'user', userId });
    for (const publicId of lifted) this.#tell({ kind: 'key', publicId });
    return approved;
  }

  reject(
    userId: string,
    { by, note, atMs }: { readonly by: string; readonly note: string; readonly atMs: number },
  ): Promise<BuilderRecord | DecisionRefused> {
    return this.#database.write(async (tx) => {
      const known = await readOne(tx, userId);
      if (known?.application.status !== 'in_review') return 'no_application';
      await tx
        .updateTable('builders')
        .set({ application_status: 'rejected', decided_at_ms: atMs, decided_by: by, note })
        .where('user_id', '=', userId)
        .execute();
      return (await readOne(tx, userId))!;
    });
  }

  async setLoadTest(userId: string, grant: LoadTestGrant | null): Promise<BuilderRecord | null> {
    const changed = await this.#database.write(async (tx) => {
      await tx
        .updateTable('builders')
        .set({
          load_test_multiplier: grant?.multiplier ?? null,
          load_test_ends_at_ms: grant?.endsAtMs ?? null,
        })
        .where('user_id', '=', userId)
        .execute();
      return readOne(tx, userId);
    });
    if (changed !== null) this.#tell({ kind: 'user', userId });
    return changed;
  }
}

/** Of the user and of all its keys that may have it; the keys that got it. */
async function setTiers(
  tx: Db,
  userId: string,
  tier: Track,
  change: TierChange,
): Promise<readonly string[]> {
  const user = await userBy(tx, 'user_id', userId);
  if (user === undefined) return [];
  await tx.updateTable('users').set({ tier }).where('user_id', '=', userId).execute();
  const what = { ...change, field: 'tier', to: tier } as const;
  await recordChange(tx, { ...what, subject: userId, from: user.tier });
  const keys = await tx
    .selectFrom('keys')
    .select(['public_id', 'tier'])
    .where('user_id', '=', userId)
    .where('minted_at', '=', 'live')
    .where('revoked_at_ms', 'is', null)
    .where('sandbox_account_id', 'not like', 'sub_%')
    .orderBy('public_id')
    .execute();
  for (const { public_id: publicId, tier: from } of keys) {
    await tx.updateTable('keys').set({ tier }).where('public_id', '=', publicId).execute();
    await recordChange(tx, { ...what, subject: publicId, from });
  }
  return keys.map(({ public_id: publicId }) => publicId);
}

/** Those whose last approved track it is. */
async function countOf(db: Db, track: Track): Promise<number> {
  const { count } = await db
    .selectFrom('builders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('approved_track', '=', track)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function readOne(db: Db, userId: string): Promise<BuilderRecord | null> {
  const row = await db
    .selectFrom('builders')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row === undefined ? null : recordOf(row);
}

const NOTHING_YET = {
  approved_track: null,
  approved_name: null,
  approved_at_ms: null,
  agreed_rate: null,
  load_test_multiplier: null,
  load_test_ends_at_ms: null,
} as const;

function applicationRow({
  track,
  name,
  website,
  about,
  agreementVersion,
  atMs,
}: NewApplication): Omit<BuilderRow, 'user_id' | 'created_at_ms' | keyof typeof NOTHING_YET> {
  return {
    name,
    website,
    about,
    agreement_version: agreementVersion,
    agreed_at_ms: atMs,
    applied_track: track,
    application_status: 'in_review',
    applied_at_ms: atMs,
    decided_at_ms: null,
    decided_by: null,
    note: null,
  };
}

function recordOf(row: BuilderRow): BuilderRecord {
  const { load_test_multiplier: multiplier, load_test_ends_at_ms: endsAtMs } = row;
  return {
    userId: row.user_id,
    name: row.name,
    website: row.website,
    about: row.about,
    agreementVersion: row.agreement_version,
    agreedAtMs: row.agreed_at_ms,
    application: {
      track: row.applied_track,
      status: row.application_status,
      appliedAtMs: row.applied_at_ms,
      decidedAtMs: row.decided_at_ms,
      decidedBy: row.decided_by,
      note: row.note,
    },
    approvedTrack: row.approved_track,
    approvedName: row.approved_name,
    approvedAtMs: row.approved_at_ms,
    agreedRate: row.agreed_rate === UNCAPPED ? 'uncapped' : row.agreed_rate,
    loadTest: multiplier === null || endsAtMs === null ? null : { multiplier, endsAtMs },
    createdAtMs: row.created_at_ms,
  };
}
