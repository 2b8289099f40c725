// Asks for the password once more, or for a code, for what a session alone is not enough.
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { CodeField, proofOf } from '../../frame/code-field.tsx';
import { call } from '../plane.ts';
import { answerStepUp, useStepUp } from './step-up.ts';

export function StepUpDialog() {
  const proofs = useStepUp();
  return proofs === null ? null : <Question isByPassword={proofs.includes('password')} />;
}

function Question({ isByPassword }: { readonly isByPassword: boolean }) {
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // It stands in front of a form, which must not take this for its own.
    event.stopPropagation();
    setBusy(true);
    setError(null);
    const body = isByPassword ? { password: text } : proofOf(text);
    call('stepUpOperatorSession', { body }).then(
      () => answerStepUp(true),
      (fault: unknown) => {
        setText('');
        setError(fault);
        setBusy(false);
      },
    );
  };
  return (
    <Dialog title="Confirm that it is you" isOpen onClose={() => answerStepUp(false)}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <p>
          This act needs {isByPassword ? 'your password once more' : 'a code'}. The session then
          counts as confirmed for ten minutes.
        </p>
        {isByPassword ? (
          <Field
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        ) : (
          <CodeField value={text} onChange={setText} />
        )}
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
