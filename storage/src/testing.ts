// What tests of other packages need beside a file: a real PostgreSQL.

export { type Postgres, startPostgres } from './postgres-process.ts';
