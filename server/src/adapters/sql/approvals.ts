// Approvals and the trail in either database: who comes first is decided by the database.
import type { Kysely } from 'kysely';
import type {
  ApprovalRecord,
  ApprovalStore,
  BegunAct,
  Decision,
  TrailFilter,
  TrailHead,
  TrailLink,
  TrailRecord,
  TrailStore,
} from '../../ports/approvals.ts';
import type { OperatorRecord } from '../../ports/operators.ts';
import {
  type ApprovalRow,
  approvalOf,
  approvalRow,
  begunOf,
  begunRow,
  trailOf,
  trailRow,
} from './approvals-rows.ts';
import { operatorOf } from './operators-rows.ts';
import type { OperatorTables } from './operators-schema.ts';
import type { StoreDatabase } from './store-database.ts';

type Db = Kysely<OperatorTables>;

export class SqlApprovals implements ApprovalStore {
  readonly #database: StoreDatabase<OperatorTables>;

  constructor(database: StoreDatabase<OperatorTables>) {
    this.#database = database;
  }

  add(approval: ApprovalRecord, isSame: (other: ApprovalRecord) => boolean) {
    return this.#database.write(async (tx) => {
      const open = await tx
        .selectFrom('approvals')
        .selectAll()
        .where('state', 'in', ['waiting', 'running'])
        .where('operation', '=', approval.operation)
        .where('target', '=', approval.target)
        .execute();
      const known = open.map(approvalOf).find(isSame);
      if (known !== undefined) return known;
      await tx.insertInto('approvals').values(approvalRow(approval)).execute();
      return null;
    });
  }

  async byId(approvalId: string): Promise<ApprovalRecord | null> {
    return byId(this.#database.reads, approvalId);
  }

  async list(state: ApprovalRecord['state'] | null, limit: number) {
    let all = this.#database.reads.selectFrom('approvals').selectAll();
    if (state !== null) all = all.where('state', '=', state);
    const sorted = all.orderBy('created_at_ms', 'desc').orderBy('approval_id').limit(limit);
    return (await sorted.execute()).map(approvalOf);
  }

  takeOver(approvalId: string, operatorId: string, confirmableAtMs: number | null) {
    return this.#change(
      approvalId,
      ({ state, proposedBy }) => state === 'waiting' && proposedBy === 'token',
      () => ({ proposed_by: operatorId, confirmable_at_ms: confirmableAtMs }),
    );
  }

  claim(
    approvalId: string,
    decision: Decision,
    isFit: (operators: readonly OperatorRecord[]) => boolean,
  ) {
    return this.#change(
      approvalId,
      async ({ state }, tx) =>
        state === 'waiting' &&
        isFit((await tx.selectFrom('operators').selectAll().execute()).map(operatorOf)),
      ({ startedAtMs }) => ({
        state: 'running',
        started_at_ms: startedAtMs ?? decision.atMs,
        ...decided(decision),
      }),
    );
  }

  async settle(approvalId: string, state: 'done' | 'failed', outcome: string): Promise<void> {
    await this.#change(
      approvalId,
      (known) => known.state === 'running',
      () => ({ state, outcome }),
    );
  }

  end(approvalId: string, state: 'rejected' | 'withdrawn' | 'expired', decision: Decision) {
    return this.#change(
      approvalId,
      (known) => known.state === 'waiting' && known.startedAtMs === null,
      () => ({ state, ...decided(decision) }),
    );
  }

  async reopen(): Promise<void> {
    await this.#database.write((tx) =>
      tx
        .updateTable('approvals')
        .set({ state: 'waiting' })
        .where('state', '=', 'running')
        .execute(),
    );
  }

  #change(
    approvalId: string,
    isFit: (known: ApprovalRecord, tx: Db) => boolean | Promise<boolean>,
    change: (known: ApprovalRecord) => Partial<ApprovalRow>,
  ): Promise<ApprovalRecord | null> {
    return this.#database.write(async (tx) => {
      const known = await byId(tx, approvalId);
      if (known === null || !(await isFit(known, tx))) return null;
      const set = change(known);
      await tx.updateTable('approvals').set(set).where('approval_id', '=', approvalId).execute();
      return byId(tx, approvalId);
    });
  }
}

export class SqlTrail implements TrailStore {
  readonly #database: StoreDatabase<OperatorTables>;

  constructor(database: StoreDatabase<OperatorTables>) {
    this.#database = database;
  }

  async begin(act: BegunAct): Promise<void> {
    const row = begunRow(act);
    await this.#database.write((tx) =>
      tx
        .insertInto('begun_acts')
        .values(row)
        .onConflict((conflict) => conflict.column('request_id').doUpdateSet(row))
        .execute(),
    );
  }

  append(link: TrailLink): Promise<TrailRecord> {
    return this.#database.write(async (tx) => {
      const last = await tx
        .selectFrom('trail')
        .select(['seq', 'hash'])
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst();
      const { entry, seal } = link(last ?? null);
      await tx.insertInto('trail').values(trailRow(entry)).execute();
      await tx.deleteFrom('begun_acts').where('request_id', '=', entry.requestId).execute();
      const head = { seq: entry.seq, hash: entry.hash, seal };
      await tx
        .insertInto('trail_head')
        .values({ head_id: 1, ...head })
        .onConflict((conflict) => conflict.column('head_id').doUpdateSet(head))
        .execute();
      return entry;
    });
  }

  async drop(requestId: string): Promise<void> {
    await this.#database.write((tx) =>
      tx.deleteFrom('begun_acts').where('request_id', '=', requestId).execute(),
    );
  }

  async begun(): Promise<readonly BegunAct[]> {
    const all = this.#database.reads.selectFrom('begun_acts').selectAll();
    return (await all.orderBy('request_id').execute()).map(begunOf);
  }

  async read(afterSeq: number, limit: number, filter: TrailFilter) {
    const after = this.#entries(filter).where('seq', '>', afterSeq);
    return (await after.orderBy('seq').limit(limit).execute()).map(trailOf);
  }

  async readBack(beforeSeq: number | null, limit: number, filter: TrailFilter) {
    const all = this.#entries(filter);
    const before = beforeSeq === null ? all : all.where('seq', '<', beforeSeq);
    return (await before.orderBy('seq', 'desc').limit(limit).execute()).map(trailOf);
  }

  #entries({ operatorId, operation, lane }: TrailFilter) {
    let all = this.#database.reads.selectFrom('trail').selectAll();
    if (operatorId !== null) all = all.where('operator_id', '=', operatorId);
    if (operation !== null) all = all.where('operation', '=', operation);
    return lane === null ? all : all.where('lane', '=', lane);
  }

  async head(): Promise<TrailHead | null> {
    const row = await this.#database.reads
      .selectFrom('trail_head')
      .select(['seq', 'hash', 'seal'])
      .executeTakeFirst();
    return row ?? null;
  }
}

async function byId(db: Db, approvalId: string): Promise<ApprovalRecord | null> {
  const row = await db
    .selectFrom('approvals')
    .selectAll()
    .where('approval_id', '=', approvalId)
    .executeTakeFirst();
  return row === undefined ? null : approvalOf(row);
}

function decided({ by, reason, atMs }: Decision): Partial<ApprovalRow> {
  return { decided_by: by, decision_reason: reason, decided_at_ms: atMs };
}
