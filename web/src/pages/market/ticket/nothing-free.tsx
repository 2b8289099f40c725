// Said to somebody who has nothing to buy with, and where to get it.
import { compareAmounts } from '@sibyl/sdk';
import { PageLink } from '../../../components/page-link.tsx';
import { lane } from '../../../lane.ts';
import { useAccount } from '../../../live/account-provider.tsx';
import { FaucetButton } from '../../../sandbox/faucet-button.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { ticketTexts } from './texts.ts';

/** Whether whoever is signed in has no free money at all. */
export function useIsBroke(): boolean {
  const account = useAccount();
  return account !== null && compareAmounts(account.free, '0') <= 0;
}

export function NothingFree() {
  const t = useTexts(ticketTexts);
  return (
    <div className="flex flex-col items-start gap-2 rounded-md bg-warn-soft p-3 text-warn">
      <p>{t('nothingFree')}</p>
      <MoreMoney />
    </div>
  );
}

/** The faucet in the sandbox, the page of money in live. */
export function MoreMoney() {
  const t = useTexts(ticketTexts);
  if (lane === 'sandbox') return <FaucetButton size="small" />;
  return (
    <PageLink to="/money" className="font-semibold underline">
      {t('payIn')}
    </PageLink>
  );
}
