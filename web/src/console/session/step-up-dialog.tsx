// Asks for the password once more, for what a session alone is not enough.
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { call } from '../plane.ts';
import { answerStepUp, useStepUp } from './step-up.ts';

export function StepUpDialog() {
  return useStepUp() ? <Question /> : null;
}

function Question() {
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // It stands in front of a form, which must not take this for its own.
    event.stopPropagation();
    setBusy(true);
    setError(null);
    call('stepUpOperatorSession', { body: { password } }).then(
      () => answerStepUp(true),
      (fault: unknown) => {
        setPassword('');
        setError(fault);
        setBusy(false);
      },
    );
  };
  return (
    <Dialog title="Confirm that it is you" isOpen onClose={() => answerStepUp(false)}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <p>This act needs your password once more. It then counts as confirmed for ten minutes.</p>
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {error !== null && <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={() => answerStepUp(false)}>Back</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Confirm
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
