// Says how old live figures are once they are late; nothing while they are not.
import { duration } from '../format/times.ts';
import { useConnection } from '../live/use-live.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { Icon } from './icon.tsx';
import { componentTexts } from './texts.ts';

export function LateNote() {
  const { silentMs } = useConnection();
  return silentMs === null ? null : <Late silentMs={silentMs} />;
}

export function Late({ silentMs }: { readonly silentMs: number }) {
  const t = useTexts(componentTexts);
  const locale = useLocale();
  return (
    <p role="status" className="flex items-center gap-2 text-xs font-semibold text-warn">
      <Icon name="warn" />
      {t('late', { age: duration(locale, silentMs) })}
    </p>
  );
}
