// For what only somebody with an account has: what it is, and the ways to it.
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Empty } from '../components/empty.tsx';
import { useSession } from '../session/use-session.ts';
import { useTexts } from '../texts/use-texts.ts';
import { openOverlay } from './overlay.ts';
import { frameTexts } from './texts.ts';

interface Props {
  readonly title: string;
  readonly text: string;
  /** A better first step than to register. */
  readonly step?: { readonly label: string; readonly onPress: () => void };
}

export function SignInFirst({ title, text, step }: Props) {
  const t = useTexts(frameTexts);
  const session = useSession();
  // Until it is known who is here nothing is said, so that nothing flashes.
  if (session.status === 'unknown') return null;
  const first = step ?? { label: t('register'), onPress: () => openOverlay('register') };
  return (
    <Card>
      <Empty
        title={title}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button kind="primary" onClick={first.onPress}>
              {first.label}
            </Button>
            <Button onClick={() => openOverlay('sign_in')}>{t('signIn')}</Button>
          </div>
        }
      >
        {text}
      </Empty>
    </Card>
  );
}
