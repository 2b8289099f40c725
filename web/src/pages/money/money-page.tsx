// Money: what there is, how it comes in, where it may go, and what is under way.
import { SignInFirst } from '../../frame/sign-in-first.tsx';
import { lane } from '../../lane.ts';
import { useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Balances } from './balances.tsx';
import { Deposits } from './deposits.tsx';
import { Destinations } from './destinations.tsx';
import { PlayMoney } from './play-money.tsx';
import { moneyTexts } from './texts.ts';
import { useDestinations } from './use-destinations.ts';
import { useMoneyNews } from './use-money-news.ts';
import { WithdrawForm } from './withdraw-form.tsx';
import { Withdrawals } from './withdrawals.tsx';

export function Page() {
  const t = useTexts(moneyTexts);
  const session = useSession();
  const isHere = session.status === 'signed_in' && !session.isDemo;
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-4">
      <h1 className="text-lg font-semibold">{t('title')}</h1>
      {lane === 'sandbox' && <PlayMoney />}
      {lane === 'live' && session.status !== 'unknown' && !isHere && (
        <SignInFirst title={t('need')} text={t('needText')} />
      )}
      {lane === 'live' && isHere && <RealMoney />}
    </div>
  );
}

function RealMoney() {
  const destinations = useDestinations();
  useMoneyNews();
  return (
    <>
      <Balances />
      <div className="grid gap-4 lg:grid-cols-2">
        <WithdrawForm destinations={destinations} />
        <Destinations destinations={destinations} />
      </div>
      <Withdrawals isPaidByHand={destinations.isPaidByHand} />
      <Deposits />
    </>
  );
}
