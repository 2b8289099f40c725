// What somebody has allowed apps and partners, and the end of it.
import type { Item } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { useWork } from '../../components/use-work.ts';
import { dateTime } from '../../format/times.ts';
import { useClient, useWho } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { connectedAppsTexts } from './connected-apps-texts.ts';

type Grant = Item<'listGrants'>;

const SHOWN_MAX = 100;

export function ConnectedApps() {
  const t = useTexts(connectedAppsTexts);
  const client = useClient();
  const who = useWho();
  const { error: fault, run } = useWork();
  const { data, error, refetch } = useQuery({
    queryKey: ['grants', who],
    queryFn: () => client.connect.listGrants({ status: 'active', limit: SHOWN_MAX }),
  });
  const revoke = (grantId: string): Promise<void> =>
    run(async () => {
      await client.connect.revokeGrant(grantId);
      await refetch();
    });
  const grants = data?.items ?? [];
  return (
    <Card title={t('title')}>
      <div className="flex flex-col gap-3">
        {(error ?? fault) !== null && <ErrorNote error={error ?? fault} />}
        {data !== undefined && grants.length === 0 && <p className="text-muted">{t('none')}</p>}
        <ul className="flex flex-col gap-2">
          {grants.map((grant) => (
            <li
              key={grant.grant_id}
              className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-page p-3"
            >
              <About grant={grant} />
              <Button onClick={() => revoke(grant.grant_id)}>{t('revoke')}</Button>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

function About({ grant }: { readonly grant: Grant }) {
  const t = useTexts(connectedAppsTexts);
  const locale = useLocale();
  const { app_name: name, verified_name: verified, partner_id: partner, daily_cap: cap } = grant;
  const scopes = grant.scopes.map((scope) => (isScope(scope) ? t(scope) : scope));
  const isBound = grant.account_id.startsWith('sub_');
  const facts = [
    t(grant.environment === 'live' ? 'live' : 'sandbox'),
    ...(isBound ? [t('subaccount', { id: grant.account_id })] : []),
    ...(cap === null ? [] : [t('cap', { amount: cap })]),
    grant.last_used_at_ms === null
      ? t('unused')
      : t('used', { when: dateTime(locale, grant.last_used_at_ms) }),
    t('until', { when: dateTime(locale, grant.expires_at_ms) }),
  ];
  return (
    <span className="min-w-0">
      <span className="font-semibold">{name ?? t('partner', { id: partner ?? '' })}</span>
      {verified !== null && <span className="text-gain"> {t('verified', { name: verified })}</span>}
      <br />
      <span>{scopes.join(' · ')}</span>
      <br />
      <span className="text-xs text-muted">{facts.join(' · ')}</span>
    </span>
  );
}

function isScope(text: string): text is keyof typeof connectedAppsTexts & string {
  return Object.hasOwn(connectedAppsTexts, text);
}
