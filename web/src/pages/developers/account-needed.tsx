// Around a page that takes an account of one's own: whoever has none, or a demo account only, is told the ways to one.
import type { ReactNode } from 'react';
import { SignInFirst } from '../../frame/sign-in-first.tsx';
import { useSession } from '../../session/use-session.ts';
import type { Texts, Words } from '../../texts/texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { DevelopersLayout } from './layout.tsx';

interface Props {
  readonly texts: Texts<'title' | 'need' | 'needText' | 'demo'> & {
    /** Where there is more to say to a demo account than to strangers. */
    readonly demoText?: Words;
  };
  /** Shown to those with an account, with a layout of its own. */
  readonly children: ReactNode;
}

export function AccountNeeded({ texts, children }: Props) {
  const { title, need, needText, demo, demoText = needText } = texts;
  const t = useTexts({ title, need, needText, demo, demoText });
  const session = useSession();
  if (session.status === 'signed_in' && !session.isDemo) return children;
  const isDemo = session.status === 'signed_in';
  return (
    <DevelopersLayout title={t('title')}>
      <SignInFirst title={t(isDemo ? 'demo' : 'need')} text={t(isDemo ? 'demoText' : 'needText')} />
    </DevelopersLayout>
  );
}
