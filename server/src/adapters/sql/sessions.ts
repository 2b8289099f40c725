// The list of a user's sessions in either database.
import type { PlatformChange, SessionRecord } from '../../ports/platform.ts';
import type { SessionList } from '../../ports/sessions.ts';
import * as query from './platform-queries.ts';
import { sessionOf } from './platform-rows.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

export class SqlSessionList implements SessionList {
  readonly #database: StoreDatabase<PlatformTables>;
  readonly #tell: (change: PlatformChange) => void;

  constructor(database: StoreDatabase<PlatformTables>, tell: (change: PlatformChange) => void) {
    this.#database = database;
    this.#tell = tell;
  }

  async of(userId: string, nowMs: number): Promise<readonly SessionRecord[]> {
    const rows = await this.#database.reads
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .where('ended_at_ms', 'is', null)
      .where('expires_at_ms', '>', nowMs)
      .orderBy('created_at_ms', 'desc')
      .orderBy('session_id')
      .execute();
    return rows.map((row) => sessionOf(row)!);
  }

  async lastBegunMs(userId: string): Promise<number | null> {
    const row = await this.#database.reads
      .selectFrom('sessions')
      .select('created_at_ms')
      .where('user_id', '=', userId)
      .orderBy('created_at_ms', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.created_at_ms ?? null;
  }

  async hasBegunFrom(userId: string, network: string): Promise<boolean> {
    if (network === '') return false;
    const row = await this.#database.reads
      .selectFrom('sessions')
      .select('session_id')
      .where('user_id', '=', userId)
      .where('network', '=', network)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async endOthers(userId: string, keptSessionId: string, atMs: number): Promise<number> {
    const ended = await this.#database.write((tx) =>
      query.endOtherSessions(tx, { userId, keptSessionId, atMs }),
    );
    if (ended > 0) this.#tell({ kind: 'user', userId });
    return ended;
  }

  async touch(seen: ReadonlyMap<string, number>): Promise<void> {
    if (seen.size === 0) return;
    await this.#database.write(async (tx) => {
      for (const [sessionId, atMs] of seen) {
        await tx
          .updateTable('sessions')
          .set({ last_seen_at_ms: atMs })
          .where('session_id', '=', sessionId)
          .where('last_seen_at_ms', '<', atMs)
          .execute();
      }
    });
  }
}
