// The store of operators in either database: every transaction is on disk before its promise resolves.
import type { Kysely } from 'kysely';
import {
  formerAfter,
  type OperatorChange,
  type OperatorPasswordChange,
  type OperatorRecord,
  type OperatorSessionRecord,
  type OperatorStore,
  type ScopeGrant,
} from '../../ports/operators.ts';
import { SqlApprovals, SqlTrail } from './approvals.ts';
import { type OwnerRules, SqlAuthenticators } from './authenticators.ts';
import {
  formerRow,
  grantOf,
  grantRow,
  operatorOf,
  operatorRow,
  operatorSessionOf,
  operatorSessionRow,
} from './operators-rows.ts';
import type { OperatorTables } from './operators-schema.ts';
import type { StoreDatabase } from './store-database.ts';

type Db = Kysely<OperatorTables>;

const operatorsRules: OwnerRules<OperatorTables> = {
  hasOther: async () => false,
  changed: (tx, operatorId) => markReset(tx, operatorId, null),
};

export class SqlOperatorStore implements OperatorStore {
  readonly approvals: SqlApprovals;
  readonly trail: SqlTrail;
  readonly factors: SqlAuthenticators<OperatorTables>;
  readonly #database: StoreDatabase<OperatorTables>;

  constructor(database: StoreDatabase<OperatorTables>) {
    this.#database = database;
    this.approvals = new SqlApprovals(database);
    this.trail = new SqlTrail(database);
    this.factors = new SqlAuthenticators(database, operatorsRules);
  }

  addOperator(operator: OperatorRecord): Promise<boolean> {
    return this.#database.write(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('operators')
        .values(operatorRow(operator))
        .onConflict((conflict) => conflict.column('name_folded').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    });
  }

  async operators(): Promise<readonly OperatorRecord[]> {
    return allOperators(this.#database.reads);
  }

  operatorById(operatorId: string): Promise<OperatorRecord | null> {
    return operatorBy(this.#database.reads, 'operator_id', operatorId);
  }

  operatorByName(name: string): Promise<OperatorRecord | null> {
    return operatorBy(this.#database.reads, 'name_folded', name.toLowerCase());
  }

  setRoles(
    operatorId: string,
    roles: OperatorRecord['roles'],
    atMs: number,
    isAllowed: (known: OperatorRecord) => boolean = () => true,
  ): Promise<OperatorChange> {
    return this.#change(operatorId, !roles.includes('admin'), async (tx, known) => {
      if (!isAllowed(known)) return false;
      await tx
        .updateTable('operators')
        .set({ roles: roles.join(' '), ...formerRow(formerAfter(known, roles, atMs)) })
        .where('operator_id', '=', operatorId)
        .execute();
      return true;
    });
  }

  disableOperator(operatorId: string, atMs: number): Promise<OperatorChange> {
    return this.#change(operatorId, true, async (tx) => {
      await tx
        .updateTable('operators')
        .set({ disabled_at_ms: atMs })
        .where('operator_id', '=', operatorId)
        .where('disabled_at_ms', 'is', null)
        .execute();
      await endSessions(tx, operatorId, null, atMs);
      return true;
    });
  }

  setUser(
    operatorId: string,
    userId: string | null,
    isAllowed: (known: OperatorRecord) => boolean = () => true,
  ): Promise<OperatorChange> {
    return this.#change(operatorId, false, async (tx, known) => {
      if (!isAllowed(known)) return false;
      await tx
        .updateTable('operators')
        .set({ user_id: userId })
        .where('operator_id', '=', operatorId)
        .execute();
      return true;
    });
  }

  changePassword(change: OperatorPasswordChange): Promise<boolean> {
    const { operatorId, verifiedHash, passwordHash, keptSessionId, atMs } = change;
    return this.#database.write(async (tx) => {
      const known = await operatorBy(tx, 'operator_id', operatorId);
      if (known === null) return false;
      if (verifiedHash !== null && known.passwordHash !== verifiedHash) return false;
      await tx
        .updateTable('operators')
        .set({ password_hash: passwordHash, password_issued: Number(verifiedHash === null) })
        .where('operator_id', '=', operatorId)
        .execute();
      await endSessions(tx, operatorId, keptSessionId, atMs);
      return true;
    });
  }

  resetFactor(operatorId: string, atMs: number): Promise<boolean> {
    return this.#database.write(async (tx) => {
      if (!(await this.factors.dropTotp(tx, operatorId))) return false;
      await markReset(tx, operatorId, atMs);
      await endSessions(tx, operatorId, null, atMs);
      return true;
    });
  }

  addSession(session: OperatorSessionRecord, verifiedHash: string): Promise<boolean> {
    return this.#database.write(async (tx) => {
      const known = await operatorBy(tx, 'operator_id', session.operatorId);
      if (known?.passwordHash !== verifiedHash || known.disabledAtMs !== null) return false;
      await tx.insertInto('operator_sessions').values(operatorSessionRow(session)).execute();
      return true;
    });
  }

  async sessionById(sessionId: string): Promise<OperatorSessionRecord | null> {
    const row = await this.#database.reads
      .selectFrom('operator_sessions')
      .selectAll()
      .where('session_id', '=', sessionId)
      .executeTakeFirst();
    return row === undefined ? null : operatorSessionOf(row);
  }

  async sessionsOf(operatorId: string, nowMs: number): Promise<readonly OperatorSessionRecord[]> {
    const rows = await this.#database.reads
      .selectFrom('operator_sessions')
      .selectAll()
      .where('operator_id', '=', operatorId)
      .where('ended_at_ms', 'is', null)
      .where('expires_at_ms', '>', nowMs)
      .orderBy('created_at_ms', 'desc')
      .orderBy('session_id')
      .execute();
    return rows.map(operatorSessionOf);
  }

  async touchSession(sessionId: string, atMs: number): Promise<void> {
    await this.#database.write((tx) =>
      tx
        .updateTable('operator_sessions')
        .set({ used_at_ms: atMs })
        .where('session_id', '=', sessionId)
        .where('used_at_ms', '<', atMs)
        .execute(),
    );
  }

  async stepUpSession(sessionId: string, atMs: number): Promise<void> {
    await this.#database.write((tx) =>
      tx
        .updateTable('operator_sessions')
        .set({ stepped_up_at_ms: atMs })
        .where('session_id', '=', sessionId)
        .execute(),
    );
  }

  async endSession(sessionId: string, atMs: number): Promise<void> {
    await this.#database.write((tx) =>
      tx
        .updateTable('operator_sessions')
        .set({ ended_at_ms: atMs })
        .where('session_id', '=', sessionId)
        .where('ended_at_ms', 'is', null)
        .execute(),
    );
  }

  grantScopes(
    grant: ScopeGrant,
    isAllowed: (held: readonly string[]) => boolean = () => true,
  ): Promise<boolean> {
    const { user_id, ...changed } = grantRow(grant);
    return this.#database.write(async (tx) => {
      if (!isAllowed((await scopesOf(tx, grant.userId))?.scopes ?? [])) return false;
      await tx
        .insertInto('scope_grants')
        .values({ user_id, ...changed })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changed))
        .execute();
      return true;
    });
  }

  scopesOf(userId: string): Promise<ScopeGrant | null> {
    return scopesOf(this.#database.reads, userId);
  }

  async prune(beforeMs: number): Promise<void> {
    await this.#database.write((tx) =>
      tx
        .deleteFrom('operator_sessions')
        .where(({ eb, fn }) => eb(fn.coalesce('ended_at_ms', 'expires_at_ms'), '<', beforeMs))
        .execute(),
    );
  }

  copyTo(file: string): Promise<void> {
    return this.#database.copyTo(file);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** `losesAdmin` is refused to the last one there is. */
  #change(
    operatorId: string,
    losesAdmin: boolean,
    change: (tx: Db, known: OperatorRecord) => Promise<boolean>,
  ): Promise<OperatorChange> {
    return this.#database.write(async (tx) => {
      const all = await allOperators(tx);
      const known = all.find((one) => one.operatorId === operatorId);
      if (known === undefined) return 'unknown';
      const admins = all.filter(isAdmin);
      if (losesAdmin && isAdmin(known) && admins.length === 1) return 'last_admin';
      if (!(await change(tx, known))) return 'refused';
      return (await operatorBy(tx, 'operator_id', operatorId)) ?? 'unknown';
    });
  }
}

async function scopesOf(db: Db, userId: string): Promise<ScopeGrant | null> {
  const grants = db.selectFrom('scope_grants').selectAll();
  const row = await grants.where('user_id', '=', userId).executeTakeFirst();
  return row === undefined ? null : grantOf(row);
}

function isAdmin({ roles, disabledAtMs }: OperatorRecord): boolean {
  return roles.includes('admin') && disabledAtMs === null;
}

async function allOperators(db: Db): Promise<readonly OperatorRecord[]> {
  const all = db.selectFrom('operators').selectAll();
  return (await all.orderBy('created_at_ms').orderBy('operator_id').execute()).map(operatorOf);
}

async function operatorBy(
  db: Db,
  column: 'operator_id' | 'name_folded',
  value: string,
): Promise<OperatorRecord | null> {
  const row = await db
    .selectFrom('operators')
    .selectAll()
    .where(column, '=', value)
    .executeTakeFirst();
  return row === undefined ? null : operatorOf(row);
}

/** Null once another factor is enrolled. */
async function markReset(tx: Db, operatorId: string, atMs: number | null): Promise<void> {
  await tx
    .updateTable('operators')
    .set({ factor_reset_at_ms: atMs })
    .where('operator_id', '=', operatorId)
    .execute();
}

async function endSessions(
  tx: Db,
  operatorId: string,
  keptSessionId: string | null,
  atMs: number,
): Promise<void> {
  await tx
    .updateTable('operator_sessions')
    .set({ ended_at_ms: atMs })
    .where('operator_id', '=', operatorId)
    .where('ended_at_ms', 'is', null)
    .where('session_id', '!=', keptSessionId ?? '')
    .execute();
}
