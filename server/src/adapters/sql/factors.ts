// Second factors in either database, beside the users that they belong to.
import type { Kysely } from 'kysely';
import type {
  FactorStore,
  FactorsRemoved,
  PasskeyAddition,
  PasskeyRecord,
} from '../../ports/factors.ts';
import type { PlatformChange } from '../../ports/platform.ts';
import { type OwnerRules, SqlAuthenticators } from './authenticators.ts';
import type { FactorTables } from './factors-schema.ts';
import { endOtherSessions } from './platform-queries.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

type Db = Kysely<PlatformTables>;

const usersRules: OwnerRules<PlatformTables> = {
  hasOther: async (tx, userId) => (await countPasskeys(tx, userId)) > 0,
  changed: noteCredentialChange,
};

export class SqlFactorStore extends SqlAuthenticators<PlatformTables> implements FactorStore {
  readonly #database: StoreDatabase<PlatformTables>;
  readonly #tell: (change: PlatformChange) => void;

  constructor(database: StoreDatabase<PlatformTables>, tell: (change: PlatformChange) => void) {
    super(database, usersRules);
    this.#database = database;
    this.#tell = tell;
  }

  async passkeysOf(userId: string): Promise<readonly PasskeyRecord[]> {
    const rows = await this.#database.reads
      .selectFrom('passkeys')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at_ms')
      .orderBy('passkey_id')
      .execute();
    return rows.map(passkeyOf);
  }

  async passkeyByCredential(credentialId: string): Promise<PasskeyRecord | null> {
    const row = await this.#database.reads
      .selectFrom('passkeys')
      .selectAll()
      .where('credential_id', '=', credentialId)
      .executeTakeFirst();
    return row === undefined ? null : passkeyOf(row);
  }

  addPasskey(
    passkey: PasskeyRecord,
    recoveryHashes: readonly string[],
    max: number,
  ): Promise<PasskeyAddition> {
    const { userId, createdAtMs } = passkey;
    return this.#database.write(async (tx) => {
      if ((await countPasskeys(tx, userId)) >= max) return 'too_many';
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('passkeys')
        .values(passkeyRow(passkey))
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 1n) return 'taken';
      await noteCredentialChange(tx, userId, createdAtMs);
      return this.takeCodes(tx, userId, recoveryHashes);
    });
  }

  async renamePasskey(
    userId: string,
    passkeyId: string,
    label: string,
  ): Promise<PasskeyRecord | null> {
    const row = await this.#database.write((tx) =>
      tx
        .updateTable('passkeys')
        .set({ label })
        .where('user_id', '=', userId)
        .where('passkey_id', '=', passkeyId)
        .returningAll()
        .executeTakeFirst(),
    );
    return row === undefined ? null : passkeyOf(row);
  }

  async usePasskey(credentialId: string, counter: number, atMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.write((tx) =>
      tx
        .updateTable('passkeys')
        .set({ counter, last_used_at_ms: atMs })
        .where('credential_id', '=', credentialId)
        // Those that do not count stay at 0.
        .where('counter', counter === 0 ? '=' : '<', counter)
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
  }

  removePasskey(userId: string, passkeyId: string, atMs: number): Promise<PasskeyRecord | null> {
    return this.#database.write(async (tx) => {
      const row = await tx
        .deleteFrom('passkeys')
        .where('user_id', '=', userId)
        .where('passkey_id', '=', passkeyId)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return null;
      await this.dropSpareCodes(tx, userId);
      await noteCredentialChange(tx, userId, atMs);
      return passkeyOf(row);
    });
  }

  async removeAll(userId: string, atMs: number): Promise<FactorsRemoved | null> {
    const removed = await this.#database.write(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('passkeys')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      const hadTotp = await this.dropTotp(tx, userId);
      const passkeys = Number(numDeletedRows);
      if (!hadTotp && passkeys === 0) return null;
      await tx.deleteFrom('totp_seeds').where('owner_id', '=', userId).execute();
      await this.dropSpareCodes(tx, userId);
      await noteCredentialChange(tx, userId, atMs);
      // No session has this name: all of them end.
      const sessionsEnded = await endOtherSessions(tx, { userId, keptSessionId: '', atMs });
      return { hadTotp, passkeys, sessionsEnded };
    });
    if (removed !== null) this.#tell({ kind: 'user', userId });
    return removed;
  }

  useChallenge(challenge: string, untilMs: number, nowMs: number): Promise<boolean> {
    return this.#database.write(async (tx) => {
      await tx.deleteFrom('used_challenges').where('until_ms', '<=', nowMs).execute();
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('used_challenges')
        .values({ challenge, until_ms: untilMs })
        .onConflict((conflict) => conflict.column('challenge').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    });
  }

  async tradingHeldUntilMs(userId: string): Promise<number | null> {
    const row = await this.#database.reads
      .selectFrom('credential_changes')
      .select('trading_held_until_ms')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.trading_held_until_ms ?? null;
  }

  async changedAtMs(userId: string): Promise<number | null> {
    const row = await this.#database.reads
      .selectFrom('credential_changes')
      .select('at_ms')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.at_ms ?? null;
  }
}

/** Called within the transaction of the change itself. */
export async function noteCredentialChange(tx: Db, userId: string, atMs: number): Promise<void> {
  await tx
    .insertInto('credential_changes')
    .values({ user_id: userId, at_ms: atMs })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ at_ms: atMs }))
    .execute();
}

/** After the change of the password, which adds the row. */
export async function holdTrading(tx: Db, userId: string, untilMs: number): Promise<void> {
  await tx
    .updateTable('credential_changes')
    .set({ trading_held_until_ms: untilMs })
    .where('user_id', '=', userId)
    .execute();
}

async function countPasskeys(tx: Db, userId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

function passkeyOf(row: FactorTables['passkeys']): PasskeyRecord {
  return {
    passkeyId: row.passkey_id,
    credentialId: row.credential_id,
    userId: row.user_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports === '' ? [] : row.transports.split(' '),
    isSynced: row.is_synced === 1,
    label: row.label,
    createdAtMs: row.created_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
  };
}

function passkeyRow(passkey: PasskeyRecord): FactorTables['passkeys'] {
  return {
    passkey_id: passkey.passkeyId,
    credential_id: passkey.credentialId,
    user_id: passkey.userId,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: passkey.transports.join(' '),
    is_synced: passkey.isSynced ? 1 : 0,
    label: passkey.label,
    created_at_ms: passkey.createdAtMs,
    last_used_at_ms: passkey.lastUsedAtMs,
  };
}
