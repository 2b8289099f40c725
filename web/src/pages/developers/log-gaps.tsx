// Says what the log does not have: nothing at all where none is kept, or requests that it had no room for.
import type { Answer } from '@sibyl/sdk';
import { Icon } from '../../components/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { requestTexts } from './requests/texts.ts';

export function LogGaps({ summary }: { readonly summary: Answer<'getRequestSummary'> }) {
  const t = useTexts(requestTexts);
  const { log_kept: isKept, last_24h: day } = summary;
  if (isKept && day.dropped_count === 0) return null;
  return (
    <p role="status" className="flex items-start gap-2 rounded-md bg-warn-soft p-3 text-warn">
      <span className="mt-0.5">
        <Icon name="warn" />
      </span>
      {isKept ? t('dropped', { count: day.dropped_count }) : t('notKept')}
    </p>
  );
}
