// The few words of the PostgreSQL client that the peer speaks.
declare module 'pg' {
  export interface QueryConfig {
    /** Names a statement, which is then prepared once per connection. */
    readonly name?: string;
    readonly text: string;
    readonly values?: readonly unknown[];
  }

  export interface QueryResult {
    readonly rows: readonly Readonly<Record<string, unknown>>[];
  }

  export interface PoolClient {
    query(query: QueryConfig | string): Promise<QueryResult>;
    release(): void;
  }

  export class Pool {
    constructor(options: {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
      readonly max: number;
    });
    connect(): Promise<PoolClient>;
    query(query: QueryConfig | string): Promise<QueryResult>;
  }
}
