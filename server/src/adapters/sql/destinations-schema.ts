// The table of destinations, in the database of the platform store.
import type { AnyDatabase, TableWords } from './dialect.ts';

export interface DestinationTables {
  destinations: {
    destination_id: string;
    user_id: string;
    label: string;
    destination: string;
    created_at_ms: number;
    usable_from_ms: number;
  };
}

export async function createDestinations({ text, whole, table }: TableWords, db: AnyDatabase) {
  await table(db, 'destinations')
    .addColumn('destination_id', text, (column) => column.primaryKey().notNull())
    .addColumn('user_id', text, (column) => column.notNull().references('users.user_id'))
    .addColumn('label', text, (column) => column.notNull())
    .addColumn('destination', text, (column) => column.notNull())
    .addColumn('created_at_ms', whole, (column) => column.notNull())
    .addColumn('usable_from_ms', whole, (column) => column.notNull())
    .addUniqueConstraint('destinations_of_user', ['user_id', 'destination'])
    .execute();
}
