// Asks before something that cannot be undone; what comes of it stands in the words above the button.
import { type ReactNode, useState } from 'react';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { componentTexts } from './texts.ts';

interface Props {
  readonly title: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Words for an error that this question knows more about; null for any other. */
  readonly explain?: (error: unknown) => string | null;
  /** Whether a field among the children says by itself what is wrong. */
  readonly isTold?: (error: unknown) => boolean;
  readonly children: ReactNode;
}

export function Confirm({
  title,
  action,
  isDangerous = true,
  onConfirm,
  onClose,
  explain = () => null,
  isTold = () => false,
  children,
}: Props) {
  const t = useTexts(componentTexts);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (fault) {
      setError(fault);
      setBusy(false);
    }
  };
  const words = explain(error);
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        {children}
        {words !== null && <p role="alert">{words}</p>}
        {error !== null && words === null && !isTold(error) && <ErrorNote error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('back')}</Button>
          <Button kind={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={confirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
