// The reader's own link: who registers by it was invited by them.
import { useAccount } from '../../account/use-account.ts';
import { Card } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { invitingAddress } from '../../session/referral.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { accountTexts } from './texts.ts';

export function Invite() {
  const t = useTexts(accountTexts);
  const { data } = useAccount();
  if (data !== undefined && data.referral_code === null) return null;
  const link = invitingAddress(`${location.origin}/`, data?.referral_code);
  return (
    <Card title={t('invite')}>
      <div className="flex flex-col gap-3">
        <p className="text-muted">{t('inviteText')}</p>
        {data === undefined ? (
          <Skeleton className="h-7 w-64" />
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-page p-3">
            <code className="min-w-0 break-all">{link}</code>
            <CopyButton text={link} label={t('copyLink')} />
          </div>
        )}
        <PageLink
          to="/developers/revenue"
          className="self-start text-accent underline underline-offset-2"
        >
          {t('toRevenue')}
        </PageLink>
      </div>
    </Card>
  );
}
