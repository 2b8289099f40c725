// What everybody must know now: maintenance, read-only mode, no connection.
import type { ReactNode } from 'react';
import { Icon } from '../components/icon.tsx';
import { clockTime } from '../format/times.ts';
import { useConnection } from '../live/use-live.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { frameTexts } from './texts.ts';
import { useHealth } from './use-health.ts';

export function PlatformNote() {
  const t = useTexts(frameTexts);
  const locale = useLocale();
  const { health, isUnanswered } = useHealth();
  const { state } = useConnection();
  // Not every browser knows that it is cut off.
  const isCutOff = isUnanswered || !navigator.onLine;
  if (state !== 'open' && isCutOff) return <Note>{t('offline')}</Note>;
  if (health === null) return null;
  const { maintenance_at_ms: atMs } = health;
  if (atMs !== null && atMs <= Date.now()) return <Note>{t('maintenance')}</Note>;
  if (atMs !== null) return <Note>{t('maintenanceAt', { time: clockTime(locale, atMs) })}</Note>;
  return health.read_only ? <Note>{t('readOnly')}</Note> : null;
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-center font-semibold text-warn"
    >
      <Icon name="warn" />
      {children}
    </p>
  );
}
