// Accounts: found by a whole name, with what an operator has to know of them and may do to them.
import { labelOf, type OperatorOperations, type OutputOf } from '@sibyl/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Figure } from '../../components/figure.tsx';
import { dateTime } from '../../format/times.ts';
import { ActButton } from '../acts/act-button.tsx';
import { Facts } from '../acts/facts.tsx';
import { FindForm } from '../find-form.tsx';
import { type Lane, useLane } from '../lane.tsx';
import { call, type OperationId } from '../plane.ts';
import { useAddress } from '../use-address.ts';
import { useAsk } from '../use-ask.ts';
import { AccountRecords } from './account-records.tsx';

type FoundAccount = OutputOf<OperatorOperations['findAccounts']>['accounts'][number];

const NAME_MIN = 3;

export function Page() {
  const { lane } = useLane();
  const { record, open } = useAddress();
  // An e-mail never goes into the address: the record that it leads to does.
  const [email, setEmail] = useState('');
  const { data, user, error, askAgain } = useFound(lane, record ?? '', email);
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg font-semibold">Accounts</h1>
      <FindForm
        key={record}
        label="Account, subaccount, user or key ID, or the whole e-mail"
        initial={email === '' ? (record ?? '') : email}
        onFind={(typed) => {
          const isMail = typed.includes('@');
          setEmail(isMail ? typed : '');
          if (!isMail) open(typed === '' ? null : typed);
          else openUser(typed, open);
          askAgain();
        }}
      />
      {error !== null && <ErrorNote error={error} />}
      {user !== undefined && user.user_id === record && (
        <Card title="User">
          <Facts of={user} />
        </Card>
      )}
      {data?.accounts.length === 0 && (
        <Card>
          <Empty title={`No account found in ${lane}`}>
            Try the other lane, or another ID of the same user.
          </Empty>
        </Card>
      )}
      {data?.accounts.map((account) => (
        <AccountCard key={account.account_id} account={account} />
      ))}
      <Keys />
    </div>
  );
}

/** A failed search is shown by the query of the page, which asks the same. */
function openUser(email: string, open: (id: string) => void): void {
  call('findUser', { query: { email } }).then(
    ({ user_id: id }) => open(id),
    () => undefined,
  );
}

/** An e-mail leads to its user first, which needs the role support. */
function useFound(lane: Lane, record: string, email: string) {
  const isMail = email !== '';
  const user = useAsk('findUser', { query: { email } }, { isWanted: isMail });
  const q = isMail ? (user.data?.user_id ?? '') : record;
  const isWanted = q.length >= NAME_MIN;
  const found = useAsk('findAccounts', { query: { lane, q } }, { isWanted });
  const queries = useQueryClient();
  return {
    data: isWanted ? found.data : undefined,
    user: isMail ? user.data : undefined,
    error: user.error ?? found.error,
    /** What was found before may have changed since. */
    askAgain: () => {
      for (const id of ['findUser', 'findAccounts'] satisfies OperationId[]) {
        queries.invalidateQueries({ queryKey: [id] }).catch(() => undefined);
      }
    },
  };
}

function AccountCard({ account }: { readonly account: FoundAccount }) {
  return (
    <Card
      title={
        <span className="flex items-center gap-1">
          <code>{account.account_id}</code>
          <CopyButton text={account.account_id} />
        </span>
      }
      aside={<Badges account={account} />}
    >
      <div className="flex flex-col gap-4">
        {account.frozen_message !== null && (
          <p className="text-loss">
            The owner reads: “{account.frozen_message}”. The audit log has the reason.
          </p>
        )}
        {account.excluded_until_at_ms !== null && (
          <p className="text-warn">
            Has excluded himself until {dateTime('en', account.excluded_until_at_ms)}.
          </p>
        )}
        <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          <Figure label="Free">{account.balance_free}</Figure>
          <Figure label="Reserved">{account.balance_reserved}</Figure>
          <Figure label="On its way out">{account.balance_withdrawing}</Figure>
          <Figure label="Open orders">{account.orders_open}</Figure>
          <Figure label="Opened" isWhole>
            {dateTime('en', account.opened_at_ms)}
          </Figure>
          <Figure label="User" isWhole>
            {account.user_id ?? 'not registered'}
          </Figure>
          <Figure label="Tier">{account.tier === null ? 'none' : labelOf(account.tier)}</Figure>
          <Figure label="Rates">{`${account.rate_multiplier ?? 1}x`}</Figure>
          <Figure label="Declared country">{account.declared_country ?? 'none'}</Figure>
          <Figure label="Scopes" isWhole>
            {account.scopes.join(', ') || 'none'}
          </Figure>
        </dl>
        <Acts account={account} />
        <Records account={account} />
      </div>
    </Card>
  );
}

/** Shown for one account of a family at a time; the address names it. */
function Records({ account }: { readonly account: FoundAccount }) {
  const { filter, narrowRecord } = useAddress();
  const { account_id: accountId, owner_id: ownerId, user_id: userId } = account;
  const isShown = filter.records === accountId;
  return (
    <>
      <span>
        <Button
          aria-expanded={isShown}
          onClick={() => narrowRecord({ records: isShown ? '' : accountId })}
        >
          {isShown ? 'Hide records' : 'Orders, trades, statement and more'}
        </Button>
      </span>
      {isShown && (
        <AccountRecords accountId={accountId} userId={ownerId === null ? userId : null} />
      )}
    </>
  );
}

function Badges({ account }: { readonly account: FoundAccount }) {
  return (
    <span className="flex flex-wrap gap-1">
      {account.owner_id !== null && <Badge>subaccount</Badge>}
      {account.demo && <Badge>demo</Badge>}
      {account.closed && <Badge>closed</Badge>}
      {account.frozen && !account.closed && (
        <Badge tone="loss">
          {account.frozen_by_operator ? 'frozen by an operator' : 'frozen by its owner'}
        </Badge>
      )}
    </span>
  );
}

function Acts({ account }: { readonly account: FoundAccount }) {
  return (
    <div className="flex flex-wrap gap-2">
      {!account.closed && <AccountActs account={account} />}
      {/* What is done to the user stands with the owner, for it is done to all of them. */}
      {account.owner_id === null && <UserActs account={account} />}
      <ActButton
        act="attachChainData"
        label="Attach chain data"
        preset={{ record: 'account', id: account.account_id }}
      />
    </div>
  );
}

function AccountActs({ account }: { readonly account: FoundAccount }) {
  const preset = { account_id: account.account_id };
  return (
    <>
      {account.frozen_by_operator ? (
        <ActButton act="unfreezeAccount" label="Unfreeze" kind="primary" preset={preset} />
      ) : (
        <ActButton act="freezeAccount" label="Freeze" kind="danger" preset={preset} />
      )}
      <ActButton act="correctBalance" label="Correct the balance" preset={preset} />
      {!account.frozen_by_operator && (
        <ActButton act="payPlatformFees" label="Pay the platform’s fees" preset={preset} />
      )}
      {account.owner_id === null && (
        <ActButton act="creditDeposit" label="Credit a deposit" preset={preset} />
      )}
    </>
  );
}

/** None for an account that belongs to nobody, as that of the platform; visitors of the pages have no address and no factors. */
function UserActs({ account }: { readonly account: FoundAccount }) {
  if (account.user_id === null) return null;
  const preset = { account_id: account.account_id };
  const user = { user_id: account.user_id };
  return (
    <>
      <ActButton act="setAccountTier" label="Tier" preset={preset} />
      <ActButton act="setAccountCountry" label="Country" preset={preset} />
      <ActButton act="testCompliance" label="Test the rules" preset={preset} />
      <ActButton act="linkAccounts" label="Link to another" preset={preset} />
      {!account.demo && (
        <>
          <ActButton
            act="setUserScopes"
            label="Scopes"
            preset={user}
            values={{ scopes: account.scopes }}
          />
          <ActButton act="createResetLink" label="Reset link" preset={user} />
          <ActButton act="createVerificationLink" label="Verification link" preset={user} />
          <ActButton
            act="removeUserFactors"
            label="Remove lost factors"
            kind="danger"
            preset={user}
          />
        </>
      )}
    </>
  );
}

function Keys() {
  return (
    <Card title="Keys">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted">A key has a tier and a multiplier of its own.</p>
        <ActButton act="setKeyTier" label="Tier of a key" />
        <ActButton act="setKeySigning" label="Signing by a key" />
        <ActButton act="setPartnerScopes" label="What a key does for others" />
      </div>
    </Card>
  );
}
