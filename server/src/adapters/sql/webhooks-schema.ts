// The tables of the webhook store: endpoints, the events recorded for them, deliveries and their attempts.
import { type Generated, sql } from 'kysely';
import type { Environment } from '../../ports/webhooks.ts';
import { type AnyDatabase, type StoreSchema, type TableWords, wordsOf } from './dialect.ts';
import type { SavedRow } from './platform-rows.ts';
import { createSavedAnswers } from './platform-schema.ts';
import type { AttemptRow, DeliveryColumns, EndpointRow, EventColumns } from './webhooks-rows.ts';

export interface WebhookTables {
  endpoints: EndpointRow;
  /** How far in each lane's journal events have been recorded. */
  cursors: { environment: Environment; seq: number };
  events: EventColumns;
  /** `is_head` marks the first pending delivery of its chain (an aggregate at an endpoint): only that one is tried. */
  deliveries: DeliveryColumns & { position: Generated<number> };
  attempts: AttemptRow & { delivery_id: string };
  /** Answers to writes with an Idempotency-Key; secrets are never among them. */
  saved_answers: SavedRow;
}

export const webhooksSchema: StoreSchema = {
  name: 'webhooks',
  tables: [
    { name: 'endpoints', order: ['webhook_id'] },
    { name: 'cursors', order: ['environment'] },
    { name: 'events', order: ['event_id'] },
    { name: 'deliveries', order: ['position'], counter: 'position' },
    { name: 'attempts', order: ['delivery_id', 'number'] },
    { name: 'saved_answers', order: ['scope', 'key'] },
  ],
  async create(dialect, db) {
    const words = wordsOf(dialect);
    await createEndpoints(words, db);
    await createEvents(words, db);
    await createDeliveries(words, db);
    await createAttempts(words, db);
    await createSavedAnswers(words, db);
  },
};

async function createEndpoints(words: TableWords, db: AnyDatabase): Promise<void> {
  const { text, whole, table } = words;
  await table(db, 'endpoints')
    .addColumn('webhook_id', text, (column) => column.primaryKey().notNull())
    .addColumn('environment', text, (column) =>
      column.notNull().check(sql`environment in ('live', 'sandbox')`),
    )
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('holder_id', text, (column) => column.notNull())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('event_types', text, (column) => column.notNull())
    .addColumn('market_ids', text, (column) => column.notNull())
    .addColumn('balance_low_threshold', text, (column) => column.notNull())
    .addColumn('description', text, (column) => column.notNull())
    .addColumn('disabled_reason', text)
    .addColumn('disabled_at_ms', whole)
    // Sealed under a key that is not in this database.
    .addColumn('secret', text, (column) => column.notNull())
    .addColumn('previous_secret', text)
    .addColumn('rotated_at_ms', whole)
    .addColumn('from_seq', whole, (column) => column.notNull())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('updated_at_ms', whole, (column) => column.notNull())
    .addColumn('failure_streak', whole, (column) => column.notNull())
    .addColumn('failing_since_ms', whole)
    .addColumn('last_attempt_at_ms', whole)
    .addColumn('last_success_at_ms', whole)
    .addColumn('last_sequence', whole, (column) => column.notNull())
    .addColumn('pending_count', whole, (column) => column.notNull())
    // The key that made it, and the one that last changed its address or secret: revoking either lists it.
    .addColumn('created_by', text)
    .addColumn('changed_by', text)
    .execute();
  await db.schema
    .createIndex('endpoints_by_url')
    .unique()
    .on('endpoints')
    .columns(['account_id', 'environment', 'url'])
    .execute();
  await db.schema
    .createIndex('endpoints_by_account')
    .on('endpoints')
    .columns(['account_id', 'created_at_ms desc', 'webhook_id desc'])
    .execute();
  await table(db, 'cursors')
    .addColumn('environment', text, (column) => column.primaryKey().notNull())
    .addColumn('seq', whole, (column) => column.notNull())
    .execute();
}

async function createEvents({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'events')
    .addColumn('event_id', text, (column) => column.primaryKey().notNull())
    .addColumn('environment', text, (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('aggregate', text, (column) => column.notNull())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('data', text, (column) => column.notNull())
    .addColumn('is_test', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('events_by_age').on('events').column('created_at_ms').execute();
}

async function createDeliveries(words: TableWords, db: AnyDatabase): Promise<void> {
  const { text, whole, table, counter } = words;
  await table(db, 'deliveries', true)
    .addColumn('position', whole, counter(true))
    .addColumn('delivery_id', text, (column) => column.notNull().unique())
    .addColumn('webhook_id', text, (column) =>
      column.notNull().references('endpoints.webhook_id').onDelete('cascade'),
    )
    .addColumn('event_id', text, (column) => column.notNull().references('events.event_id'))
    .addColumn('sequence', whole, (column) => column.notNull())
    .addColumn('chain', text, (column) => column.notNull())
    .addColumn('replay_of', text)
    .addColumn('status', text, (column) =>
      column.notNull().check(sql`status in ('pending', 'succeeded', 'exhausted', 'dropped')`),
    )
    .addColumn('is_head', 'integer', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_attempt_at_ms', whole)
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('deliveries');
  await index('deliveries_once')
    .unique()
    .columns(['webhook_id', 'event_id'])
    .where(sql<boolean>`replay_of is null`)
    .execute();
  await index('deliveries_due')
    .columns(['webhook_id', 'next_attempt_at_ms', 'position'])
    .where(sql<boolean>`status = 'pending' and is_head = 1`)
    .execute();
  await index('deliveries_chain')
    .columns(['webhook_id', 'chain', 'position'])
    .where(sql<boolean>`status = 'pending'`)
    .execute();
  await index('deliveries_listed').columns(['webhook_id', 'position desc']).execute();
  await index('deliveries_by_event').column('event_id').execute();
  await index('deliveries_by_age').column('created_at_ms').execute();
}

async function createAttempts({ text, whole, table }: TableWords, db: AnyDatabase): Promise<void> {
  await table(db, 'attempts')
    .addColumn('delivery_id', text, (column) =>
      column.notNull().references('deliveries.delivery_id').onDelete('cascade'),
    )
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('at_ms', whole, (column) => column.notNull())
    .addColumn('http_status', 'integer')
    .addColumn('failure', text)
    .addColumn('latency_ms', whole, (column) => column.notNull())
    // A receiver's answer is its own: the status and the length are kept, not the text.
    .addColumn('answer_bytes', whole)
    .addPrimaryKeyConstraint('attempts_key', ['delivery_id', 'number'])
    .execute();
}
