// Asks for a new destination. The exchange wants a fresh proof of who is here, which is asked for by itself.
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { useClient } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { moneyTexts } from './texts.ts';

interface Props {
  /** How long it has to wait, in words; empty if it has not. */
  readonly note: string;
  readonly onAdded: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function DestinationDialog({ note, onAdded, onClose }: Props) {
  const t = useTexts(moneyTexts);
  const client = useClient();
  const [label, setLabel] = useState('');
  const [destination, setDestination] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await client.destinations.add({ label: label.trim(), destination: destination.trim() });
      await onAdded();
      onClose();
    } catch (fault) {
      setError(fault);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t('add')} isOpen onClose={onClose}>
      <form onSubmit={add} className="flex flex-col gap-4">
        <Field
          label={t('label')}
          hint={t('labelHint')}
          required
          maxLength={64}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <Field
          label={t('address')}
          hint={t('addressHint')}
          required
          minLength={4}
          maxLength={256}
          value={destination}
          onChange={(event) => setDestination(event.target.value)}
        />
        {note !== '' && <p className="text-muted">{note}</p>}
        {error !== null && <ErrorNote error={error} />}
        <span className="self-end">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('addNow')}
          </Button>
        </span>
      </form>
    </Dialog>
  );
}
