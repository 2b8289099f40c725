// Everything that is kept of somebody, for a file: what the exchange tells in one piece, and the lists of every account, page by page.
import { createClient, type SibylClient } from '@sibyl/sdk';
import { baseOf, type Lane, lanes } from '../../lane.ts';

interface Gathering {
  readonly client: SibylClient;
  readonly token: string;
  readonly signal: AbortSignal;
  /** Told how many rows there are so far. */
  readonly onRows: (count: number) => void;
}

/** As many as a page may have. */
const LIMIT = 500;

export async function ownData({ client, token, signal, onRows }: Gathering): Promise<object> {
  let count = 0;
  const all = async <Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> => {
    const found: Row[] = [];
    for await (const row of rows) {
      signal.throwIfAborted();
      found.push(row);
      count += 1;
      onRows(count);
    }
    return found;
  };
  const data = await client.profile.export();
  const records: object[] = [];
  for (const environment of lanes) {
    const here = clientAt(environment, token);
    const subaccounts = await all(here.subaccounts.list({ status: 'all', limit: LIMIT }));
    const ids = [null, ...subaccounts.map(({ subaccount_id: id }) => id)];
    for (const subaccountId of ids) {
      const { account, portfolio } =
        subaccountId === null ? here : here.forSubaccount(subaccountId);
      records.push({
        environment,
        subaccount_id: subaccountId,
        orders: await all(account.orders({ status: 'all', limit: LIMIT })),
        fills: await all(account.fills({ limit: LIMIT })),
        ledger: await all(portfolio.ledger({ limit: LIMIT })),
      });
    }
  }
  return { ...data, records };
}

function clientAt(environment: Lane, token: string): SibylClient {
  return createClient({ baseUrl: location.origin + baseOf(environment) }).withToken(token);
}
