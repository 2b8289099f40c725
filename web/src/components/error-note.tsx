// What went wrong, in the reader's language, what to do, and the id of the request to ask with.
import { SibylError } from '@sibyl/sdk';
import { errorSentence } from '../texts/errors.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import { componentTexts } from './texts.ts';

interface Props {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function ErrorNote({ error, onRetry }: Props) {
  const t = useTexts(componentTexts);
  const locale = useLocale();
  const requestId = error instanceof SibylError ? error.requestId : null;
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md bg-loss-soft p-3 text-loss">
      <div className="flex items-start gap-2">
        <span className="mt-0.5">
          <Icon name="warn" />
        </span>
        <div className="min-w-0">
          <p className="font-semibold">{errorSentence(locale, error)}</p>
        </div>
      </div>
      {(requestId !== null || onRetry !== undefined) && (
        <div className="flex flex-wrap items-center justify-between gap-2 text-xs">
          {requestId !== null && (
            <span className="flex items-center gap-1">
              <code className="break-all">{requestId}</code>
              <CopyButton text={requestId} />
            </span>
          )}
          {onRetry !== undefined && (
            <Button size="small" onClick={onRetry}>
              {t('retry')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
