// What everybody must know now: no connection, a session that is over, maintenance, read-only mode.
import { type ReactNode, useSyncExternalStore } from 'react';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { clockTime } from '../format/times.ts';
import { useConnection } from '../live/use-live.ts';
import { sessionStore } from '../session/session-store.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { openOverlay } from './overlay.ts';
import { frameTexts } from './texts.ts';
import { useHealth } from './use-health.ts';

export function PlatformNote() {
  const t = useTexts(frameTexts);
  const locale = useLocale();
  const { health, isUnanswered } = useHealth();
  const { state } = useConnection();
  const wasEnded = useSyncExternalStore(sessionStore.subscribe, () => sessionStore.wasEnded);
  // Not every browser knows that it is cut off.
  const isCutOff = isUnanswered || !navigator.onLine;
  if (state !== 'open' && isCutOff) return <Note>{t('offline')}</Note>;
  if (wasEnded) {
    return (
      <Note>
        {t('signedOut')} <Button onClick={() => openOverlay('sign_in')}>{t('signIn')}</Button>
      </Note>
    );
  }
  if (health === null) return null;
  const { maintenance_at_ms: atMs } = health;
  if (atMs !== null && atMs <= Date.now()) return <Note>{t('maintenance')}</Note>;
  if (atMs !== null) return <Note>{t('maintenanceAt', { time: clockTime(locale, atMs) })}</Note>;
  return health.read_only ? <Note>{t('readOnly')}</Note> : null;
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-center font-semibold text-warn"
    >
      <Icon name="warn" />
      {children}
    </div>
  );
}
