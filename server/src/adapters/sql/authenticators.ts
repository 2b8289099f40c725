// Authenticators and recovery codes in either database, beside those whom they belong to.
import type { Kysely } from 'kysely';
import type {
  AuthenticatorStore,
  KnownTotp,
  TotpConfirmation,
  TotpRecord,
} from '../../ports/authenticators.ts';
import type { StoreDatabase } from './store-database.ts';

/** In the database of whatever store has their owners. */
export interface AuthenticatorTables {
  /** One for each owner; the seed is encrypted under a key that lies in no database. */
  totp_seeds: {
    owner_id: string;
    sealed_seed: string;
    created_at_ms: number;
    confirmed_at_ms: number | null;
    /** The last step that counted: neither it nor any before it counts again. */
    last_step: number;
  };
  /** Keyed hashes: nobody who reads this table can use one. */
  recovery_codes: { owner_id: string; code_hash: string; used_at_ms: number | null };
}

type Db = Kysely<AuthenticatorTables>;

/** What the store of the owners has to say; each runs within the transaction of the change. */
export interface OwnerRules<Tables> {
  /** Whether the owner has a factor beside the authenticator. */
  hasOther(tx: Kysely<Tables>, ownerId: string): Promise<boolean>;
  /** An authenticator was confirmed or removed. */
  changed(tx: Kysely<Tables>, ownerId: string, atMs: number): Promise<void>;
}

export class SqlAuthenticators<Tables extends AuthenticatorTables> implements AuthenticatorStore {
  readonly #database: StoreDatabase<AuthenticatorTables>;
  readonly #rules: OwnerRules<AuthenticatorTables>;

  constructor(database: StoreDatabase<Tables>, rules: OwnerRules<Tables>) {
    // As in `own`.
    this.#database = database as unknown as StoreDatabase<AuthenticatorTables>;
    this.#rules = rules as unknown as OwnerRules<AuthenticatorTables>;
  }

  async totpOf(ownerId: string): Promise<KnownTotp | null> {
    const row = await this.#database.reads
      .selectFrom('totp_seeds')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      ownerId: row.owner_id,
      sealedSeed: row.sealed_seed,
      createdAtMs: row.created_at_ms,
      confirmedAtMs: row.confirmed_at_ms,
      lastStep: row.last_step,
    };
  }

  beginTotp({ ownerId, sealedSeed, createdAtMs }: TotpRecord): Promise<boolean> {
    return this.#database.write(async (tx) => {
      await tx
        .deleteFrom('totp_seeds')
        .where('owner_id', '=', ownerId)
        .where('confirmed_at_ms', 'is', null)
        .execute();
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('totp_seeds')
        .values({
          owner_id: ownerId,
          sealed_seed: sealedSeed,
          created_at_ms: createdAtMs,
          confirmed_at_ms: null,
          last_step: 0,
        })
        .onConflict((conflict) => conflict.column('owner_id').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    });
  }

  confirmTotp(confirmation: TotpConfirmation): Promise<'with_codes' | 'without_codes' | null> {
    const { ownerId, sealedSeed, step, recoveryHashes, atMs } = confirmation;
    return this.#database.write(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('totp_seeds')
        .set({ confirmed_at_ms: atMs, last_step: step })
        .where('owner_id', '=', ownerId)
        .where('sealed_seed', '=', sealedSeed)
        .where('confirmed_at_ms', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return null;
      await this.#rules.changed(tx, ownerId, atMs);
      return this.takeCodes(tx, ownerId, recoveryHashes);
    });
  }

  useTotpStep(ownerId: string, step: number): Promise<boolean> {
    return this.#database.write(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('totp_seeds')
        .set({ last_step: step })
        .where('owner_id', '=', ownerId)
        .where('confirmed_at_ms', 'is not', null)
        .where('last_step', '<', step)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }

  removeTotp(ownerId: string, atMs: number): Promise<boolean> {
    return this.#database.write(async (tx) => {
      if (!(await this.dropTotp(tx, ownerId))) return false;
      await this.#rules.changed(tx, ownerId, atMs);
      return true;
    });
  }

  recoveryCodesLeft(ownerId: string): Promise<number> {
    return countCodes(this.#database.reads, ownerId);
  }

  useRecoveryCode(ownerId: string, codeHash: string, atMs: number): Promise<boolean> {
    return this.#database.write(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('recovery_codes')
        .set({ used_at_ms: atMs })
        .where('owner_id', '=', ownerId)
        .where('code_hash', '=', codeHash)
        .where('used_at_ms', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }

  async replaceRecoveryCodes(ownerId: string, codeHashes: readonly string[]): Promise<void> {
    await this.#database.write(async (tx) => {
      await tx.deleteFrom('recovery_codes').where('owner_id', '=', ownerId).execute();
      await addCodes(tx, ownerId, codeHashes);
    });
  }

  /** Within the transaction of a new factor: only if there are none yet. */
  async takeCodes(
    tx: Kysely<Tables> | Db,
    ownerId: string,
    codeHashes: readonly string[],
  ): Promise<'with_codes' | 'without_codes'> {
    const db = own(tx);
    if ((await countCodes(db, ownerId)) > 0) return 'without_codes';
    await addCodes(db, ownerId, codeHashes);
    return 'with_codes';
  }

  /** Within the transaction in which it is removed: false if there is no confirmed one. */
  async dropTotp(tx: Kysely<Tables> | Db, ownerId: string): Promise<boolean> {
    const { numDeletedRows } = await own(tx)
      .deleteFrom('totp_seeds')
      .where('owner_id', '=', ownerId)
      .where('confirmed_at_ms', 'is not', null)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) return false;
    await this.dropSpareCodes(tx, ownerId);
    return true;
  }

  /** Codes recover from the loss of a factor: without any they would be a way in of their own. */
  async dropSpareCodes(tx: Kysely<Tables> | Db, ownerId: string): Promise<void> {
    const db = own(tx);
    const totp = await db
      .selectFrom('totp_seeds')
      .select('owner_id')
      .where('owner_id', '=', ownerId)
      .where('confirmed_at_ms', 'is not', null)
      .executeTakeFirst();
    if (totp !== undefined || (await this.#rules.hasOther(db, ownerId))) return;
    await db.deleteFrom('recovery_codes').where('owner_id', '=', ownerId).execute();
  }
}

/** These tables are among those of either store; no query can be written whose tables are a parameter. */
function own<Tables extends AuthenticatorTables>(tx: Kysely<Tables> | Db): Db {
  return tx as unknown as Db;
}

async function countCodes(db: Db, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('used_at_ms', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

async function addCodes(tx: Db, ownerId: string, codeHashes: readonly string[]): Promise<void> {
  const rows = codeHashes.map((code_hash) => ({ owner_id: ownerId, code_hash, used_at_ms: null }));
  if (rows.length > 0) await tx.insertInto('recovery_codes').values(rows).execute();
}
