// Asks for the label of a subaccount, a new one or one that is there.
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { useWork } from '../../components/use-work.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { subaccountTexts } from './texts.ts';

interface Props {
  readonly title: string;
  /** What it is now. */
  readonly label: string;
  readonly onSave: (label: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function LabelDialog({ title, label, onSave, onClose }: Props) {
  const t = useTexts(subaccountTexts);
  const [typed, setTyped] = useState(label);
  const { isBusy, error, run } = useWork();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await run(async () => {
      await onSave(typed);
      onClose();
    });
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={save} className="flex flex-col gap-4">
        <Field
          label={t('label')}
          hint={t('labelHint')}
          required
          maxLength={64}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {error !== null && <ErrorNote error={error} />}
        <span className="self-end">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('save')}
          </Button>
        </span>
      </form>
    </Dialog>
  );
}
