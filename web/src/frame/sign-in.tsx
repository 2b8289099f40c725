// Signing in and registering, in one small form.
import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Field } from '../components/field.tsx';
import { sessionStore } from '../session/session-store.ts';
import { useTexts } from '../texts/use-texts.ts';
import type { Overlay } from './overlay.ts';
import { frameTexts } from './texts.ts';

interface Props {
  readonly purpose: 'sign_in' | 'register';
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSwitch: (overlay: Overlay) => void;
}

export function SignIn({ purpose, isOpen, onClose, onSwitch }: Props) {
  const t = useTexts(frameTexts);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isNew = purpose === 'register';

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      if (isNew) await sessionStore.register(email, password, name);
      else await sessionStore.logIn(email, password);
      setPassword('');
      onClose();
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog title={t(isNew ? 'register' : 'signIn')} isOpen={isOpen} onClose={onClose}>
      <form className="flex flex-col gap-3" onSubmit={send}>
        <Field
          label={t('email')}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label={t('password')}
          type="password"
          name="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          hint={isNew ? t('passwordHint') : undefined}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {isNew && (
          <Field
            label={t('displayName')}
            name="name"
            autoComplete="nickname"
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        {error !== null && <ErrorNote error={error} />}
        <Button kind="primary" size="large" type="submit" isWide isBusy={isBusy}>
          {t(isNew ? 'register' : 'signIn')}
        </Button>
        <Button
          kind="quiet"
          isWide
          onClick={() => {
            setError(null);
            onSwitch(isNew ? 'sign_in' : 'register');
          }}
        >
          {t(isNew ? 'haveAccount' : 'noAccount')}
        </Button>
      </form>
    </Dialog>
  );
}
