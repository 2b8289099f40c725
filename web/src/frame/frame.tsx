// What stands around every page: where one is, which lane, how much there is, and the way to everything else.
import { Outlet, useMatches } from '@tanstack/react-router';
import { Suspense, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { LateNote } from '../components/late-note.tsx';
import { later } from '../components/later.ts';
import { AccountProvider } from '../live/account-provider.tsx';
import type { PageDefinition } from '../pages/page.ts';
import { stepUpStore } from '../session/step-up.ts';
import { translate } from '../texts/texts.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { TourCard } from '../tour/tour-card.tsx';
import { BottomNavigation } from './bottom-navigation.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { LaneBar } from './lane-bar.tsx';
import { type Overlay, onOverlay } from './overlay.ts';
import { Palette } from './palette.tsx';
import { PlatformNote } from './platform-note.tsx';
import { frameTexts } from './texts.ts';
import { useFrameKeys } from './use-frame-keys.ts';

// Nobody needs them to see the page.
const ShortcutList = later(() => import('./shortcut-list.tsx'), 'ShortcutList');
const StepUpDialog = later(() => import('./step-up-dialog.tsx'), 'StepUpDialog');
const SignIn = later(() => import('./sign-in.tsx'), 'SignIn');

export function Frame() {
  const t = useTexts(frameTexts);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const askedProof = useSyncExternalStore(stepUpStore.subscribe, () => stepUpStore.asked);
  useFrameKeys(setOverlay);
  usePageTitle();
  useEffect(() => onOverlay(setOverlay), []);
  const close = (): void => setOverlay(null);
  return (
    <AccountProvider>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-3 focus:py-2 focus:text-on-accent"
      >
        {t('skip')}
      </a>
      {/* A page may have a bar of its own above the navigation of a phone. */}
      <div className="flex min-h-dvh flex-col has-data-bar:pb-18">
        <LaneBar />
        <Header onOpen={setOverlay} />
        <PlatformNote />
        <TourCard />
        <main id="content" className="mx-auto w-full max-w-[90rem] flex-1 px-4 pt-4 pb-10 sm:px-6">
          <div className="mb-2 empty:hidden">
            <LateNote />
          </div>
          <Outlet />
        </main>
        <Footer />
      </div>
      <BottomNavigation />
      {overlay === 'palette' && <Palette onClose={close} onOpen={setOverlay} />}
      <Suspense fallback={<Loading />}>
        {askedProof !== null && <StepUpDialog asked={askedProof} />}
        {overlay === 'shortcuts' && <ShortcutList isOpen onClose={close} />}
        {(overlay === 'sign_in' || overlay === 'register') && (
          <SignIn purpose={overlay} isOpen onClose={close} onSwitch={setOverlay} />
        )}
      </Suspense>
    </AccountProvider>
  );
}

/** A dialog from the start: what is typed meanwhile must not act on the page. */
function Loading() {
  const t = useTexts(frameTexts);
  return (
    <div
      role="dialog"
      aria-busy="true"
      aria-label={t('loading')}
      className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.5)]"
    />
  );
}

function usePageTitle(): void {
  const locale = useLocale();
  const page: PageDefinition | undefined = useMatches().at(-1)?.staticData.page;
  const title = page === undefined ? 'Sibyl' : `${translate(locale, page.title)} · Sibyl`;
  // Before the effects of the page, which may know a better one.
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: PageDefinition;
  }
}
