// Records of compliance in either database, in the same transactions as those of users.
import type {
  AddressUse,
  Clearing,
  ComplianceStore,
  FlagPage,
  FlagRecord,
  RulesRecord,
} from '../../ports/compliance.ts';
import type { FlagRow } from './compliance-schema.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

type Database = StoreDatabase<PlatformTables>;

export class SqlComplianceStore implements ComplianceStore {
  readonly #database: Database;
  /** Told after a change is durable: whoever remembers the user's credentials must look again. */
  readonly #changed: (userId: string) => void;

  constructor(database: Database, changed: (userId: string) => void) {
    this.#database = database;
    this.#changed = changed;
  }

  async currentRules(): Promise<RulesRecord | null> {
    const row = await this.#database.reads
      .selectFrom('compliance_rules')
      .selectAll()
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { at_ms: atMs, ...rest } = row;
    return { ...rest, atMs };
  }

  async addRules({ atMs, ...rules }: RulesRecord): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#database.write((tx) =>
      tx
        .insertInto('compliance_rules')
        .values({ ...rules, at_ms: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  claimAddress(use: AddressUse, max: number, sinceMs: number): Promise<boolean> {
    const { kind, day, addressHash, subject, atMs } = use;
    return this.#database.write(async (tx) => {
      const uses = await tx
        .selectFrom('address_uses')
        .select(['subject', 'at_ms'])
        .where('kind', '=', kind)
        .where('day', '=', day)
        .where('address_hash', '=', addressHash)
        .execute();
      if (uses.some((known) => known.subject === subject)) return true;
      if (uses.filter((known) => known.at_ms > sinceMs).length >= max) return false;
      const row = { kind, day, address_hash: addressHash, subject, at_ms: atMs };
      await tx.insertInto('address_uses').values(row).execute();
      return true;
    });
  }

  async sharedAddress(userId: string, otherId: string, withinMs: number): Promise<boolean> {
    const rows = await this.#database.reads
      .selectFrom('address_uses as own')
      .innerJoin('address_uses as other', (join) =>
        join
          .onRef('own.kind', '=', 'other.kind')
          .onRef('own.day', '=', 'other.day')
          .onRef('own.address_hash', '=', 'other.address_hash'),
      )
      .select(['own.at_ms as own_ms', 'other.at_ms as other_ms'])
      .where('own.kind', '=', 'sign_up')
      .where('own.subject', '=', userId)
      .where('other.subject', '=', otherId)
      .execute();
    return rows.some((row) => Math.abs(row.own_ms - row.other_ms) <= withinMs);
  }

  async setLink(userId: string, otherId: string, isLinked: boolean): Promise<void> {
    const [first, second] = inOrder(userId, otherId);
    await this.#database.write(async (tx) => {
      await tx
        .deleteFrom('user_links')
        .where('user_id', '=', first)
        .where('other_id', '=', second)
        .execute();
      if (!isLinked) return;
      await tx.insertInto('user_links').values({ user_id: first, other_id: second }).execute();
    });
  }

  async isLinked(userId: string, otherId: string): Promise<boolean> {
    const [first, second] = inOrder(userId, otherId);
    const row = await this.#database.reads
      .selectFrom('user_links')
      .select('user_id')
      .where('user_id', '=', first)
      .where('other_id', '=', second)
      .executeTakeFirst();
    return row !== undefined;
  }

  async raiseFlag(flag: FlagRecord): Promise<boolean> {
    const isRaised = await this.#database.write(async (tx) => {
      const open = await tx
        .selectFrom('compliance_flags')
        .select(['lane', 'blocks'])
        .where('subject', '=', flag.subject)
        .where('kind', '=', flag.kind)
        .where('cleared_at_ms', 'is', null)
        .execute();
      const stopsAsMuch = (row: Pick<FlagRow, 'lane' | 'blocks'>) =>
        row.lane === flag.lane && (row.blocks === 1 || !flag.blocks);
      if (open.some(stopsAsMuch)) return false;
      await tx.insertInto('compliance_flags').values(flagRow(flag)).execute();
      return true;
    });
    if (isRaised) this.#changed(flag.subject);
    return isRaised;
  }

  async flags({ status, limit, beforeMs }: FlagPage): Promise<readonly FlagRecord[]> {
    let query = this.#database.reads
      .selectFrom('compliance_flags')
      .selectAll()
      .where('raised_at_ms', '<', beforeMs);
    if (status === 'open') query = query.where('cleared_at_ms', 'is', null);
    if (status === 'cleared') query = query.where('cleared_at_ms', 'is not', null);
    const newest = query.orderBy('raised_at_ms', 'desc').orderBy('flag_id', 'desc');
    return (await newest.limit(limit).execute()).map(flagOf);
  }

  async blocksOf(subject: string): Promise<readonly FlagRecord[]> {
    const rows = await this.#database.reads
      .selectFrom('compliance_flags')
      .selectAll()
      .where('subject', '=', subject)
      .where('cleared_at_ms', 'is', null)
      .where('blocks', '=', 1)
      .orderBy('raised_at_ms')
      .execute();
    return rows.map(flagOf);
  }

  async clearFlag(flagId: string, clearing: Clearing): Promise<FlagRecord | null> {
    const { actor, reason, atMs } = clearing;
    const row = await this.#database.write(async (tx) => {
      await tx
        .updateTable('compliance_flags')
        .set({ cleared_at_ms: atMs, cleared_by: actor, clear_reason: reason })
        .where('flag_id', '=', flagId)
        .where('cleared_at_ms', 'is', null)
        .execute();
      return tx
        .selectFrom('compliance_flags')
        .selectAll()
        .where('flag_id', '=', flagId)
        .executeTakeFirst();
    });
    if (row === undefined) return null;
    this.#changed(row.subject);
    return flagOf(row);
  }

  async pruneAddresses(beforeMs: number): Promise<void> {
    await this.#database.write((tx) =>
      tx.deleteFrom('address_uses').where('at_ms', '<', beforeMs).execute(),
    );
  }
}

function inOrder(one: string, other: string): readonly [string, string] {
  return one < other ? [one, other] : [other, one];
}

function flagRow(flag: FlagRecord): FlagRow {
  return {
    flag_id: flag.flagId,
    kind: flag.kind,
    rule_id: flag.ruleId,
    subject: flag.subject,
    lane: flag.lane,
    detail: flag.detail,
    blocks: flag.blocks ? 1 : 0,
    raised_at_ms: flag.raisedAtMs,
    cleared_at_ms: flag.clearedAtMs,
    cleared_by: flag.clearedBy,
    clear_reason: flag.clearReason,
  };
}

function flagOf(row: FlagRow): FlagRecord {
  return {
    flagId: row.flag_id,
    kind: row.kind,
    ruleId: row.rule_id,
    subject: row.subject,
    lane: row.lane,
    detail: row.detail,
    blocks: row.blocks === 1,
    raisedAtMs: row.raised_at_ms,
    clearedAtMs: row.cleared_at_ms,
    clearedBy: row.cleared_by,
    clearReason: row.clear_reason,
  };
}
