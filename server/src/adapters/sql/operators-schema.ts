// The tables of the store of operators: accounts, sessions, second factors and granted scopes. Times are epoch milliseconds.

import type { CreateTableBuilder } from 'kysely';
import type { ApprovalRow, BegunRow, TrailRow } from './approvals-rows.ts';
import type { AuthenticatorTables } from './authenticators.ts';
import { createAuthenticators } from './authenticators-schema.ts';
import { type AnyDatabase, type StoreSchema, type TableWords, wordsOf } from './dialect.ts';
import type { GrantRow, OperatorRow, OperatorSessionRow } from './operators-rows.ts';

export interface OperatorTables extends AuthenticatorTables {
  operators: OperatorRow;
  operator_sessions: OperatorSessionRow;
  scope_grants: GrantRow;
  approvals: ApprovalRow;
  trail: TrailRow;
  /** Acts that are not in the trail yet: what is here at a start was cut off. */
  begun_acts: BegunRow;
  /** One row: where the trail ends, sealed by the secrets of the folder. */
  trail_head: { head_id: number; seq: number; hash: string; seal: string };
}

export const operatorsSchema: StoreSchema = {
  name: 'operators',
  tables: [
    { name: 'operators', order: ['created_at_ms', 'operator_id'] },
    { name: 'operator_sessions', order: ['session_id'] },
    { name: 'totp_seeds', order: ['owner_id'] },
    { name: 'recovery_codes', order: ['owner_id', 'code_hash'] },
    { name: 'scope_grants', order: ['user_id'] },
    { name: 'approvals', order: ['approval_id'] },
    { name: 'trail', order: ['seq'] },
    { name: 'begun_acts', order: ['request_id'] },
    { name: 'trail_head', order: ['head_id'] },
  ],
  async create(dialect, db) {
    const words = wordsOf(dialect);
    await createOperators(words, db);
    await createSessions(words, db);
    await createGrants(words, db);
    await createApprovals(words, db);
    await createTrail(words, db);
    await createAuthenticators(words, db, 'operators.operator_id');
  },
};

async function createOperators({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'operators')
    .addColumn('operator_id', text, (column) => column.primaryKey().notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('name_folded', text, (column) => column.notNull().unique())
    .addColumn('password_hash', text, (column) => column.notNull())
    .addColumn('password_issued', whole, (column) => column.notNull())
    .addColumn('roles', text, (column) => column.notNull())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('disabled_at_ms', whole)
    .addColumn('former_roles', text)
    .addColumn('roles_lost_at_ms', whole)
    .addColumn('factor_reset_at_ms', whole)
    .addColumn('user_id', text)
    .execute();
}

async function createSessions({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'operator_sessions')
    .addColumn('session_id', text, (column) => column.primaryKey().notNull())
    .addColumn('token_hash', text, (column) => column.notNull())
    .addColumn('operator_id', text, (column) =>
      column.notNull().references('operators.operator_id'),
    )
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('expires_at_ms', whole, (column) => column.notNull())
    .addColumn('used_at_ms', whole, (column) => column.notNull())
    .addColumn('stepped_up_at_ms', whole)
    .addColumn('ended_at_ms', whole)
    .execute();
  await db.schema
    .createIndex('operator_sessions_by_operator')
    .on('operator_sessions')
    .column('operator_id')
    .execute();
}

async function createGrants({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'scope_grants')
    .addColumn('user_id', text, (column) => column.primaryKey().notNull())
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('granted_by', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('at_ms', whole, (column) => column.notNull())
    .execute();
}

async function createApprovals({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'approvals')
    .addColumn('approval_id', text, (column) => column.primaryKey().notNull())
    .addColumn('operation', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('lane', text)
    .addColumn('target', text, (column) => column.notNull())
    .addColumn('input', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('proposed_by', text, (column) => column.notNull())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('expires_at_ms', whole, (column) => column.notNull())
    .addColumn('confirmable_at_ms', whole)
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('started_at_ms', whole)
    .addColumn('decided_by', text)
    .addColumn('decision_reason', text)
    .addColumn('decided_at_ms', whole)
    .addColumn('outcome', text)
    .execute();
}

async function createTrail(words: TableWords, db: AnyDatabase): Promise<void> {
  const { text, whole, table } = words;
  /** Who did what to what, and why; before and after it is in the trail. */
  const addAct = <Name extends string>(rows: CreateTableBuilder<string, Name>) =>
    rows
      .addColumn('operator_id', text, (column) => column.notNull())
      .addColumn('roles', text, (column) => column.notNull())
      .addColumn('operation', text, (column) => column.notNull())
      .addColumn('lane', text)
      .addColumn('target', text, (column) => column.notNull())
      .addColumn('what', text, (column) => column.notNull())
      .addColumn('reason', text);
  await table(db, 'begun_acts')
    .addColumn('request_id', text, (column) => column.primaryKey().notNull())
    .$call(addAct)
    .execute();
  await table(db, 'trail')
    .addColumn('seq', whole, (column) => column.primaryKey().notNull())
    .addColumn('request_id', text, (column) => column.notNull())
    .$call(addAct)
    .addColumn('at_ms', whole, (column) => column.notNull())
    .addColumn('outcome', text, (column) => column.notNull())
    .addColumn('previous', text, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .execute();
  await table(db, 'trail_head')
    .addColumn('head_id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('seq', whole, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('seal', text, (column) => column.notNull())
    .execute();
}
