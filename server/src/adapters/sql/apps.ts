// Apps in either database, beside the users that they belong to.
import type { Kysely } from 'kysely';
import type {
  AppAct,
  AppAddition,
  AppChanged,
  AppPage,
  AppRecord,
  AppStatus,
  AppStatusChange,
  AppStore,
  ClientSecretHash,
} from '../../ports/apps.ts';
import type { PlatformChange, SavedAnswer } from '../../ports/platform.ts';
import { saveAnswer } from './answers.ts';
import type { AppRow } from './apps-schema.ts';
import { endGrants } from './grants.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

type Db = Kysely<PlatformTables>;

export class SqlAppStore implements AppStore {
  readonly #database: StoreDatabase<PlatformTables>;
  readonly #tell: (change: PlatformChange) => void;

  constructor(database: StoreDatabase<PlatformTables>, tell: (change: PlatformChange) => void) {
    this.#database = database;
    this.#tell = tell;
  }

  appById(appId: string): Promise<AppRecord | null> {
    return readOne(this.#database.reads, 'app_id', appId);
  }

  appByWidgetKey(widgetKey: string): Promise<AppRecord | null> {
    return readOne(this.#database.reads, 'widget_key', widgetKey);
  }

  appsOf(ownerId: string): Promise<readonly AppRecord[]> {
    return readOwn(this.#database.reads, ownerId);
  }

  async page({ limit, status, after }: AppPage): Promise<readonly AppRecord[]> {
    let query = this.#database.reads
      .selectFrom('apps')
      .selectAll()
      .orderBy('created_at_ms')
      .orderBy('app_id')
      .limit(limit);
    if (status !== null) query = query.where('status', '=', status);
    if (after !== null) {
      const { createdAtMs, appId } = after;
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at_ms', 'app_id'), '>', tuple(createdAtMs, appId)),
      );
    }
    return (await query.execute()).map(recordOf);
  }

  async add(app: AppRecord, max: number, saved?: SavedAnswer): Promise<AppAddition> {
    const addition = await this.#database.write(async (tx): Promise<AppAddition> => {
      const own = await readOwn(tx, app.ownerId);
      if (own.some(({ name }) => folded(name) === folded(app.name))) return 'name_taken';
      if (own.length >= max) return 'too_many';
      await tx.insertInto('apps').values(rowOf(app)).execute();
      await saveAnswer(tx, saved);
      return 'added';
    });
    if (addition === 'added') this.#tell({ kind: 'app', appId: app.appId });
    return addition;
  }

  async change(
    appId: string,
    act: AppAct,
    next: (before: AppRecord) => AppRecord | null,
    saved?: SavedAnswer,
  ): Promise<AppChanged | null> {
    const changed = await this.#database.write(async (tx): Promise<AppChanged | null> => {
      const before = await readOne(tx, 'app_id', appId);
      if (before === null) return null;
      const after = next(before);
      if (after === null) return 'refused';
      const taken = await takenName(tx, after);
      if (taken !== null) return taken;
      await tx.updateTable('apps').set(rowOf(after)).where('app_id', '=', appId).execute();
      await noteStatus(tx, before, after.status, act);
      await saveAnswer(tx, saved);
      return after;
    });
    if (changed !== null && typeof changed !== 'string') this.#tell({ kind: 'app', appId });
    return changed;
  }

  async statusChanges(appId: string): Promise<readonly AppStatusChange[]> {
    const rows = await this.#database.reads
      .selectFrom('app_changes')
      .selectAll()
      .where('app_id', '=', appId)
      .orderBy('change_id')
      .execute();
    return rows.map((row) => ({
      appId: row.app_id,
      from: row.old_status,
      to: row.new_status,
      actor: row.actor,
      reason: row.reason,
      atMs: row.at_ms,
    }));
  }
}

/** Of somebody who leaves: nobody uses their apps any more, and nothing names them. Their ids, for those who must know. */
export async function closeApps(db: Db, ownerId: string, atMs: number): Promise<string[]> {
  const apps = await readOwn(db, ownerId);
  for (const app of apps) {
    await db
      .updateTable('apps')
      .set({
        name: app.appId,
        name_folded: folded(app.appId),
        verified_name: null,
        verified_folded: null,
        review_note: null,
        redirect_uris: '',
        allowed_origins: '',
        secret: null,
        previous_secret: null,
        status: 'disabled',
        disabled_by: 'owner',
        updated_at_ms: atMs,
      })
      .where('app_id', '=', app.appId)
      .execute();
    await noteStatus(db, app, 'disabled', { actor: ownerId, reason: 'account closed', atMs });
  }
  return apps.map(({ appId }) => appId);
}

async function noteStatus(
  db: Db,
  { appId, status: from }: AppRecord,
  to: AppStatus,
  { actor, reason, atMs }: AppAct,
): Promise<void> {
  if (from === to) return;
  if (to === 'disabled') await endGrants(db, { app_id: appId }, 'app_disabled', atMs);
  await db
    .insertInto('app_changes')
    .values({ app_id: appId, old_status: from, new_status: to, actor, reason, at_ms: atMs })
    .execute();
}

async function readOne(
  db: Db,
  column: 'app_id' | 'widget_key',
  value: string,
): Promise<AppRecord | null> {
  const row = await db.selectFrom('apps').selectAll().where(column, '=', value).executeTakeFirst();
  return row === undefined ? null : recordOf(row);
}

async function readOwn(db: Db, ownerId: string): Promise<readonly AppRecord[]> {
  const rows = await db
    .selectFrom('apps')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at_ms')
    .orderBy('app_id')
    .execute();
  return rows.map(recordOf);
}

/** Whose name another app has already; null if it is free. */
async function takenName(
  db: Db,
  { appId, ownerId, name, verifiedName }: AppRecord,
): Promise<'name_taken' | 'verified_name_taken' | null> {
  const others = db.selectFrom('apps').select('app_id').where('app_id', '!=', appId);
  const named = await others
    .where('owner_id', '=', ownerId)
    .where('name_folded', '=', folded(name))
    .executeTakeFirst();
  if (named !== undefined) return 'name_taken';
  if (verifiedName === null) return null;
  const verified = await others
    .where('verified_folded', '=', folded(verifiedName))
    .executeTakeFirst();
  return verified === undefined ? null : 'verified_name_taken';
}

function folded(name: string): string {
  return name.toLowerCase();
}

function rowOf(app: AppRecord): AppRow {
  return {
    app_id: app.appId,
    owner_id: app.ownerId,
    name: app.name,
    name_folded: folded(app.name),
    verified_name: app.verifiedName,
    verified_folded: app.verifiedName === null ? null : folded(app.verifiedName),
    is_public: app.isPublic ? 1 : 0,
    redirect_uris: app.redirectUris.join(' '),
    allowed_origins: app.allowedOrigins.join(' '),
    allowed_scopes: app.allowedScopes.join(' '),
    builder_fee_bps: app.builderFeeBps,
    fee_cap_bps: app.feeCapBps,
    widget_key: app.widgetKey,
    status: app.status,
    disabled_by: app.disabledBy,
    review_note: app.reviewNote,
    secret: secretText(app.secret),
    previous_secret: secretText(app.previousSecret),
    rotated_at_ms: app.rotatedAtMs,
    created_at_ms: app.createdAtMs,
    updated_at_ms: app.updatedAtMs,
    submitted_at_ms: app.submittedAtMs,
  };
}

function recordOf(row: AppRow): AppRecord {
  return {
    appId: row.app_id,
    ownerId: row.owner_id,
    name: row.name,
    verifiedName: row.verified_name,
    isPublic: row.is_public === 1,
    redirectUris: wordsOf(row.redirect_uris),
    allowedOrigins: wordsOf(row.allowed_origins),
    allowedScopes: wordsOf(row.allowed_scopes),
    builderFeeBps: row.builder_fee_bps,
    feeCapBps: row.fee_cap_bps,
    widgetKey: row.widget_key,
    status: row.status,
    disabledBy: row.disabled_by,
    reviewNote: row.review_note,
    secret: secretOf(row.secret),
    previousSecret: secretOf(row.previous_secret),
    rotatedAtMs: row.rotated_at_ms,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    submittedAtMs: row.submitted_at_ms,
  };
}

function wordsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

function secretText(secret: ClientSecretHash | null): string | null {
  if (secret === null) return null;
  return `${secret.publicId} ${secret.salt} ${secret.hash} ${secret.createdAtMs}`;
}

function secretOf(text: string | null): ClientSecretHash | null {
  if (text === null) return null;
  const [publicId = '', salt = '', hash = '', createdAt = ''] = text.split(' ');
  return { publicId, salt, hash, createdAtMs: Number(createdAt) };
}
