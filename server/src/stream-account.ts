// The account as the account stream shows it: what two reads over REST would give.
import type { StreamData } from '@sibyl/contract';
import type { AccountId, State } from '@sibyl/engine';
import { type AccountViewer, accountView } from './modules/account/queries.ts';
import { balanceView } from './modules/portfolio/queries.ts';
import type { UserRecord } from './ports/platform.ts';

interface Viewer {
  readonly accountId: AccountId;
  readonly grant: AccountViewer;
  readonly user: UserRecord | null;
}

export function streamAccount(
  state: State,
  { accountId, grant, user }: Viewer,
): Pick<StreamData<'account'>, 'account' | 'balances'> {
  return {
    account: accountView(state, accountId, grant, user),
    balances: balanceView(state, accountId, null)?.balances ?? [],
  };
}
