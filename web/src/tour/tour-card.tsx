// The tour: one small card that says the next thing to do and waits until it is done.
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Button } from '../components/button.tsx';
import { lane } from '../lane.ts';
import { useAccount } from '../live/account-provider.tsx';
import { useWho } from '../session/use-session.ts';
import { useTexts } from '../texts/use-texts.ts';
import { tourTexts } from './texts.ts';
import { type TourStep, tour, tourSteps } from './tour.ts';

export function TourCard() {
  const t = useTexts(tourTexts);
  const reached = useSyncExternalStore(tour.subscribe, () => tour.step);
  const { pathname } = useLocation();
  const place = placeOf(pathname);
  useEffect(() => {
    if (place === 'market' && reached === 'market') tour.reached('order');
  }, [place, reached]);
  useEndElsewhere(reached, pathname);
  const positions = useAccount()?.positions.size ?? 0;
  // The exchange's own word for shares that one holds ends the tour, however they were bought; who never began it is
  // no newcomer.
  useEffect(() => {
    if (positions === 0) return;
    if (tour.step === 'welcome') tour.leave();
    else tour.reached('done');
  }, [positions]);
  const step = stepAt(place, reached);
  // Real money is no place to try things.
  if (step === null || lane === 'live') return null;
  const number = tourSteps.indexOf(step) + 1;
  return (
    <aside
      aria-label={t('name')}
      aria-live="polite"
      // On a phone it has a place of its own above the page, which it would cover otherwise.
      className="z-20 flex flex-col gap-3 rounded-lg border border-accent bg-raised p-4 shadow-raised max-sm:sticky max-sm:top-16 max-sm:mx-4 max-sm:mt-4 sm:fixed sm:bottom-6 sm:left-6 sm:w-80"
    >
      <p>{t(step)}</p>
      <div className="flex items-center justify-between gap-3">
        <span className="text-xs text-muted">
          {t('step', { step: number, steps: tourSteps.length })}
        </span>
        <span className="flex gap-2">
          {step !== 'done' && (
            <Button kind="quiet" size="small" onClick={() => tour.leave()}>
              {t('skip')}
            </Button>
          )}
          <Onward step={step} />
        </span>
      </div>
    </aside>
  );
}

/** The pages that the tour is about. */
type Place = 'list' | 'market' | 'elsewhere';

/** By the address below the lane's prefix. */
function placeOf(pathname: string): Place {
  if (pathname.startsWith('/m/')) return 'market';
  return pathname === '/' ? 'list' : 'elsewhere';
}

/** What can be done where the reader is; null if that has nothing to do with the tour. */
function stepAt(place: Place, reached: TourStep | null): TourStep | null {
  if (reached === null || place === 'elsewhere') return null;
  return place === 'list' && reached === 'order' ? 'market' : reached;
}

/** The last word is for the page on which the order was filled, and the account; whoever goes on has read it. */
function useEndElsewhere(reached: TourStep | null, pathname: string): void {
  const who = useWho();
  const filled = useRef<{ readonly at: string; readonly to: string } | null>(null);
  useEffect(() => {
    if (reached !== 'done') return;
    filled.current ??= { at: pathname, to: who };
    const { at, to } = filled.current;
    if (at !== pathname || to !== who || placeOf(pathname) !== 'market') tour.leave();
  }, [reached, pathname, who]);
}

/** Steps that the reader takes with the page itself need no button here. */
function Onward({ step }: { readonly step: TourStep }) {
  const t = useTexts(tourTexts);
  if (step === 'welcome') {
    return (
      <Button kind="primary" size="small" onClick={() => tour.reached('market')}>
        {t('begin')}
      </Button>
    );
  }
  if (step !== 'done') return null;
  return (
    <Button kind="primary" size="small" onClick={() => tour.leave()}>
      {t('finish')}
    </Button>
  );
}
