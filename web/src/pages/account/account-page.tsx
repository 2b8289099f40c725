// Who somebody is here, and what they can set.
import { Button } from '../../components/button.tsx';
import { openOverlay } from '../../frame/overlay.ts';
import { SignInFirst } from '../../frame/sign-in-first.tsx';
import { lane } from '../../lane.ts';
import { useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { AboutYou } from './about-you.tsx';
import { Appearance } from './appearance.tsx';
import { ConnectedApps } from './connected-apps.tsx';
import { Invite } from './invite.tsx';
import { Leaving } from './leaving.tsx';
import { OwnLimits } from './own-limits.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { SandboxTools } from './sandbox-tools.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SessionList } from './session-list.tsx';
import { accountTexts } from './texts.ts';
import { VerifiedAddress } from './verified-address.tsx';

export function Page() {
  const t = useTexts(accountTexts);
  const session = useSession();
  const isHere = session.status === 'signed_in';
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-4">
      <h1 className="text-lg font-semibold">{t('account')}</h1>
      {session.status === 'visitor' && (
        <SignInFirst title={t('visitorTitle')} text={t('visitorText')} />
      )}
      {isHere && session.isDemo && <Demo />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          {session.status !== 'visitor' && <Profile />}
          {isHere && !session.isDemo && <VerifiedAddress />}
          {isHere && !session.isDemo && <AboutYou />}
          {isHere && !session.isDemo && <Invite />}
          {isHere && !session.isDemo && <SessionList />}
          {isHere && !session.isDemo && <ConnectedApps />}
          {isHere && !session.isDemo && <Leaving />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Appearance />
          {isHere && lane === 'sandbox' && <SandboxTools />}
          {isHere && !session.isDemo && <OwnLimits />}
          {isHere && !session.isDemo && <Password />}
          {isHere && !session.isDemo && <SecondFactor />}
        </div>
      </div>
    </div>
  );
}

function Demo() {
  const t = useTexts(accountTexts);
  return (
    <section className="flex flex-wrap items-center justify-between gap-4 rounded-lg bg-accent-soft p-4">
      <div className="max-w-2xl min-w-0">
        <h2 className="font-semibold">{t('demoTitle')}</h2>
        <p>{t('demoText')}</p>
      </div>
      <Button kind="primary" onClick={() => openOverlay('register')}>
        {t('register')}
      </Button>
    </section>
  );
}
