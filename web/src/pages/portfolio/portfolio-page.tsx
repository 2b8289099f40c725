// What somebody has and did: the figures, then the lists behind them.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Select } from '../../components/select.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { SignInFirst } from '../../frame/sign-in-first.tsx';
import { useGo } from '../../frame/use-go.ts';
import { SubaccountProvider, useAccount } from '../../live/account-provider.tsx';
import { type Subaccounts, useSubaccounts } from '../../live/use-subaccounts.ts';
import { useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Fills } from './fills.tsx';
import { OpenOrders } from './open-orders.tsx';
import { Overview } from './overview.tsx';
import { Positions } from './positions.tsx';
import { Receipts } from './receipts-list.tsx';
import { Record } from './record.tsx';
import { Statement } from './statement.tsx';
import { portfolioTexts } from './texts.ts';
import { useFreshLists } from './use-fresh-lists.ts';

export function Page() {
  const t = useTexts(portfolioTexts);
  const session = useSession();
  const { list } = useSubaccounts();
  const [wanted, setWanted] = useState(OWN);
  // One that was closed meanwhile is no choice any more.
  const isThere = list?.some(({ subaccount_id: id }) => id === wanted) ?? false;
  const chosen = isThere ? wanted : OWN;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-lg font-semibold">{t('portfolio')}</h1>
        <div className="flex flex-wrap items-center gap-4">
          <PageLink to="/money" className="underline underline-offset-2">
            {t('moneyInAndOut')}
          </PageLink>
          <AccountSwitch list={list} chosen={chosen} onChoose={setWanted} />
        </div>
      </div>
      {session.status === 'visitor' && <Visitor />}
      {session.status !== 'visitor' && chosen === OWN && <Holdings />}
      {chosen !== OWN && (
        <SubaccountProvider id={chosen}>
          <Holdings />
        </SubaccountProvider>
      )}
    </div>
  );
}

const OWN = '';

/** Nothing for whoever has no subaccounts. */
function AccountSwitch({
  list,
  chosen,
  onChoose,
}: {
  readonly list: Subaccounts['list'];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  const t = useTexts(portfolioTexts);
  if (list === null || list.length === 0) return null;
  const choices = [
    { value: OWN, label: t('ownAccount') },
    ...list.map(({ subaccount_id: value, label }) => ({ value, label })),
  ];
  return <Select label={t('shownAccount')} value={chosen} choices={choices} onChoose={onChoose} />;
}

function Visitor() {
  const t = useTexts(portfolioTexts);
  const go = useGo();
  return (
    <SignInFirst
      title={t('visitorTitle')}
      text={t('visitorText')}
      step={{ label: t('findMarket'), onPress: () => go('/') }}
    />
  );
}

const FIRST = 'positions';

function Holdings() {
  const t = useTexts(portfolioTexts);
  const account = useAccount();
  const navigate = useNavigate();
  const { list }: { readonly list?: unknown } = useSearch({ strict: false });
  useFreshLists();
  const tabs = [
    {
      id: FIRST,
      label: <Counted label={t('positions')} count={account?.positions.size} />,
      content: <Positions />,
    },
    {
      id: 'orders',
      label: <Counted label={t('openOrders')} count={account?.orders.size} />,
      content: <OpenOrders />,
    },
    { id: 'fills', label: t('fills'), content: <Fills /> },
    { id: 'statement', label: t('statement'), content: <Statement /> },
    { id: 'receipts', label: t('receipts'), content: <Receipts /> },
    { id: 'record', label: t('record'), content: <Record /> },
  ];
  const selected = tabs.some(({ id }) => id === list) ? String(list) : FIRST;
  return (
    <>
      <Overview />
      <Card isFlush>
        <Tabs
          label={t('lists')}
          tabs={tabs}
          selected={selected}
          onSelect={(id) => {
            navigate({
              to: '.',
              search: (id === FIRST ? {} : { list: id }) as never,
              replace: true,
            }).catch(() => undefined);
          }}
        />
      </Card>
    </>
  );
}

function Counted({
  label,
  count = 0,
}: {
  readonly label: string;
  readonly count?: number | undefined;
}) {
  return (
    <>
      {label}
      {count > 0 && <span className="ml-1 text-xs text-muted">{count}</span>}
    </>
  );
}
