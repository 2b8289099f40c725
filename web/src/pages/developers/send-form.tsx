// What is typed, sent or given up; why sending failed stands above the buttons.
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { useWork } from '../../components/use-work.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { developerTexts } from './texts.ts';

interface Props {
  readonly action: string;
  /** Why it cannot be sent as it stands; null if it can. */
  readonly refusal: string | null;
  readonly onSend: () => Promise<void>;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

export function SendForm({ action, refusal, onSend, onCancel, children }: Props) {
  const t = useTexts(developerTexts);
  const { isBusy, error, run } = useWork();
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await run(onSend);
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={send}>
      {children}
      {error !== null && <ErrorNote error={error} />}
      <div className="flex flex-wrap items-start gap-2">
        <Button kind="primary" type="submit" isBusy={isBusy} refusal={refusal}>
          {action}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  );
}
