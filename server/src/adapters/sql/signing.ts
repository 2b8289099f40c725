// Signing keys in either database, beside the keys that they belong to.
import type { Kysely } from 'kysely';
import type { PlatformChange, SavedAnswer } from '../../ports/platform.ts';
import type {
  SealedSecret,
  SigningRecord,
  SigningSecret,
  SigningStore,
} from '../../ports/signing.ts';
import { saveAnswer } from './answers.ts';
import type { AnyDatabase, TableWords } from './dialect.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

export interface SigningTables {
  /** The secret is encrypted under a key that is in no database; the passphrase is a keyed hash. */
  signing_keys: {
    public_id: string;
    is_enabled: number;
    sealed_secret: string | null;
    passphrase_hash: string | null;
    changed_at_ms: number;
  };
  /** Of signed writes that no journal remembers. */
  spent_nonces: { nonce: string; until_ms: number };
}

export async function createSigning(
  { text, whole, table }: TableWords,
  db: AnyDatabase,
): Promise<void> {
  await table(db, 'signing_keys')
    .addColumn('public_id', text, (column) => column.primaryKey().notNull())
    .addColumn('is_enabled', 'integer', (column) => column.notNull())
    .addColumn('sealed_secret', text)
    .addColumn('passphrase_hash', text)
    .addColumn('changed_at_ms', whole, (column) => column.notNull())
    .execute();
  await table(db, 'spent_nonces')
    .addColumn('nonce', text, (column) => column.primaryKey().notNull())
    .addColumn('until_ms', whole, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('spent_nonces_by_end')
    .on('spent_nonces')
    .column('until_ms')
    .execute();
}

export class SqlSigningStore implements SigningStore {
  readonly #database: StoreDatabase<PlatformTables>;
  readonly #tell: (change: PlatformChange) => void;

  constructor(database: StoreDatabase<PlatformTables>, tell: (change: PlatformChange) => void) {
    this.#database = database;
    this.#tell = tell;
  }

  async of(publicId: string): Promise<SigningRecord | null> {
    const row = await this.#database.reads
      .selectFrom('signing_keys')
      .selectAll()
      .where('public_id', '=', publicId)
      .executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  async enable(publicId: string, isEnabled: boolean, atMs: number): Promise<void> {
    await this.#database.write(async (tx) => {
      const row = {
        public_id: publicId,
        is_enabled: isEnabled ? 1 : 0,
        sealed_secret: null,
        passphrase_hash: null,
        changed_at_ms: atMs,
      };
      const { is_enabled, changed_at_ms } = row;
      await tx
        .insertInto('signing_keys')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column('public_id')
            .doUpdateSet(isEnabled ? { is_enabled, changed_at_ms } : { ...row }),
        )
        .execute();
    });
    this.#tell({ kind: 'key', publicId });
  }

  async putSecret(
    publicId: string,
    { sealed, passphraseHash }: SigningSecret,
    atMs: number,
    saved?: SavedAnswer,
  ): Promise<void> {
    await this.#database.write(async (tx) => {
      const secret = {
        sealed_secret: sealed,
        passphrase_hash: passphraseHash,
        changed_at_ms: atMs,
      };
      await tx
        .insertInto('signing_keys')
        .values({ public_id: publicId, is_enabled: 0, ...secret })
        .onConflict((conflict) => conflict.column('public_id').doUpdateSet(secret))
        .execute();
      await saveAnswer(tx, saved);
    });
    this.#tell({ kind: 'key', publicId });
  }

  sealed(): Promise<readonly SealedSecret[]> {
    return sealedIn(this.#database.reads);
  }

  resealAll(reseal: (secret: SealedSecret) => string | null): Promise<number> {
    return this.#database.write(async (tx) => {
      const secrets = await sealedIn(tx);
      for (const secret of secrets) {
        const anew = reseal(secret);
        await tx
          .updateTable('signing_keys')
          .set({ sealed_secret: anew, ...(anew === null && { passphrase_hash: null }) })
          .where('public_id', '=', secret.publicId)
          .execute();
      }
      return secrets.length;
    });
  }

  spendNonce(nonce: string, untilMs: number, nowMs: number): Promise<boolean> {
    return this.#database.write(async (tx) => {
      await tx.deleteFrom('spent_nonces').where('until_ms', '<=', nowMs).execute();
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('spent_nonces')
        .values({ nonce, until_ms: untilMs })
        .onConflict((conflict) => conflict.column('nonce').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    });
  }
}

async function sealedIn(
  tables: Pick<Kysely<PlatformTables>, 'selectFrom'>,
): Promise<readonly SealedSecret[]> {
  const rows = await tables
    .selectFrom('signing_keys')
    .select(['public_id', 'sealed_secret'])
    .where('sealed_secret', 'is not', null)
    .execute();
  return rows.map((row) => ({ publicId: row.public_id, sealed: row.sealed_secret ?? '' }));
}

function recordOf(row: SigningTables['signing_keys']): SigningRecord {
  const { sealed_secret: sealed, passphrase_hash: passphraseHash } = row;
  return {
    publicId: row.public_id,
    isEnabled: row.is_enabled === 1,
    secret: sealed === null || passphraseHash === null ? null : { sealed, passphraseHash },
  };
}
