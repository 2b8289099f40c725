// The small records of the platform store in either database: settings, lost connections and incidents.
import type { DisconnectCancelRecord, PlatformStore } from '../../ports/platform.ts';
import type { IncidentRecord } from '../../ports/status.ts';
import * as query from './platform-queries.ts';
import { disconnectCancelOf, incidentOf, incidentRow } from './platform-rows.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

/** Longer than anybody is told of them. */
const INCIDENTS_KEPT_MS = 120 * 86_400_000;

type Notes = Pick<
  PlatformStore,
  | 'setting'
  | 'putSetting'
  | 'putDisconnectCancel'
  | 'dropDisconnectCancel'
  | 'disconnectCancels'
  | 'putIncident'
  | 'incidents'
>;

export class SqlPlatformNotes implements Notes {
  readonly #database: StoreDatabase<PlatformTables>;

  constructor(database: StoreDatabase<PlatformTables>) {
    this.#database = database;
  }

  async setting(name: string): Promise<string | null> {
    const row = await this.#database.reads
      .selectFrom('settings')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.value ?? null;
  }

  async putSetting(name: string, value: string): Promise<void> {
    await this.#database.write((tx) =>
      tx
        .insertInto('settings')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute(),
    );
  }

  async putDisconnectCancel({
    lane,
    credential,
    accountId,
    graceMs,
  }: DisconnectCancelRecord): Promise<void> {
    const asked = { account_id: accountId, grace_ms: graceMs };
    await this.#database.write((tx) =>
      tx
        .insertInto('lifelines')
        .values({ lane, credential, ...asked })
        .onConflict((conflict) => conflict.columns(['lane', 'credential']).doUpdateSet(asked))
        .execute(),
    );
  }

  async dropDisconnectCancel(
    lane: DisconnectCancelRecord['lane'],
    credential: string,
  ): Promise<void> {
    await this.#database.write((tx) =>
      tx
        .deleteFrom('lifelines')
        .where('lane', '=', lane)
        .where('credential', '=', credential)
        .execute(),
    );
  }

  async disconnectCancels(): Promise<readonly DisconnectCancelRecord[]> {
    const all = this.#database.reads.selectFrom('lifelines').selectAll();
    return (await all.orderBy('lane').orderBy('credential').execute()).map(disconnectCancelOf);
  }

  async putIncident(incident: IncidentRecord): Promise<void> {
    const oldest = incident.fromMs - INCIDENTS_KEPT_MS;
    await this.#database.write((tx) => query.putIncident(tx, incidentRow(incident), oldest));
  }

  async incidents(sinceMs: number): Promise<readonly IncidentRecord[]> {
    return (await query.incidents(this.#database.reads, sinceMs)).map(incidentOf);
  }
}
