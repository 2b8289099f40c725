// What somebody has allowed apps and partners, and the end of it.
import { numberFormat } from '@sibyl/contract/names';
import type { Item } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { exactMoney } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { useClient, useWho } from '../../session/use-session.ts';
import type { Translate } from '../../texts/texts.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { connectedAppsTexts } from './connected-apps-texts.ts';
import { Delegate } from './delegate.tsx';
import { delegateTexts } from './delegate-texts.ts';

type Grant = Item<'listGrants'>;

const SHOWN_MAX = 100;
const BPS_PER_WHOLE = 10_000;
/** The consent page leads here by it. */
const ID = 'connected-apps';

export function ConnectedApps() {
  const t = useTexts(connectedAppsTexts);
  const own = useTexts(delegateTexts);
  const client = useClient();
  const who = useWho();
  const [asked, setAsked] = useState<Grant | null>(null);
  const [isGiving, setGiving] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['grants', who],
    queryFn: () => client.connect.listGrants({ status: 'active', limit: SHOWN_MAX }),
  });
  const isThere = data !== undefined;
  // The browser has looked for it before there was anything to show.
  useEffect(() => {
    if (isThere && location.hash === `#${ID}`) document.getElementById(ID)?.scrollIntoView();
  }, [isThere]);
  const grants = data?.items ?? [];
  return (
    <Card id={ID} title={t('title')}>
      <div className="flex flex-col gap-3">
        {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
        {error === null && data === undefined && <Skeleton className="h-16 w-full" />}
        {data !== undefined && grants.length === 0 && <p className="text-muted">{t('none')}</p>}
        <ul className="flex flex-col gap-2">
          {grants.map((grant) => (
            <li
              key={grant.grant_id}
              className="flex items-start justify-between gap-3 rounded-md bg-page p-3 max-sm:flex-col"
            >
              <About grant={grant} />
              <Button onClick={() => setAsked(grant)}>{t('revoke')}</Button>
            </li>
          ))}
        </ul>
        <span>
          <Button onClick={() => setGiving(true)}>{own('open')}</Button>
        </span>
      </div>
      {isGiving && <Delegate onGiven={refetch} onClose={() => setGiving(false)} />}
      {asked !== null && (
        <Confirm
          title={t('revokeTitle', { name: nameIn(asked, t) })}
          action={t('revoke')}
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await client.connect.revokeGrant(asked.grant_id);
            await refetch();
          }}
        >
          <p>{t('revokeText')}</p>
        </Confirm>
      )}
    </Card>
  );
}

function nameIn(
  { app_name: app, partner_id: partner, partner_name: name }: Grant,
  t: Translate<keyof typeof connectedAppsTexts>,
): string {
  const id = partner ?? '';
  return app ?? (name === null ? t('partner', { id }) : t('namedPartner', { name, id }));
}

function About({ grant }: { readonly grant: Grant }) {
  const t = useTexts(connectedAppsTexts);
  const locale = useLocale();
  const { verified_name: verified, daily_cap: cap, fee_cap_bps: feeCap } = grant;
  const percent = numberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const scopes = grant.scopes.map((scope) => (isScope(scope) ? t(scope) : scope));
  const isBound = grant.account_id.startsWith('sub_');
  const facts = [
    t(grant.environment === 'live' ? 'live' : 'sandbox'),
    ...(isBound ? [t('subaccount', { id: grant.account_id })] : []),
    cap === null ? t('noCap') : t('cap', { amount: exactMoney(locale, cap) }),
    ...(feeCap === 0 ? [] : [t('fee', { percent: percent.format(feeCap / BPS_PER_WHOLE) })]),
    grant.last_used_at_ms === null
      ? t('unused')
      : t('used', { when: dateTime(locale, grant.last_used_at_ms) }),
    t('until', { when: dateTime(locale, grant.expires_at_ms) }),
  ];
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <bdi className="font-semibold wrap-anywhere">{nameIn(grant, t)}</bdi>
      {verified !== null && (
        <span className="text-xs wrap-anywhere text-gain">{t('verified', { name: verified })}</span>
      )}
      <span>{scopes.join(' · ')}</span>
      <span className="text-xs wrap-anywhere text-muted">{facts.join(' · ')}</span>
      {grant.kind === 'delegation' && (
        <span className="flex flex-wrap items-center gap-1 text-xs">
          {t('passOn')} <code className="break-all">{grant.account_id}</code>
          <CopyButton text={grant.account_id} />
        </span>
      )}
    </div>
  );
}

function isScope(text: string): text is keyof typeof connectedAppsTexts & string {
  return Object.hasOwn(connectedAppsTexts, text);
}
