// Signing in and registering, in one small form.
import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Field } from '../components/field.tsx';
import { hasPasskeys, isChangeOfMind } from '../session/passkeys.ts';
import { sessionStore } from '../session/session-store.ts';
import { factorsOf } from '../session/step-up.ts';
import { useSession } from '../session/use-session.ts';
import { useTexts } from '../texts/use-texts.ts';
import { CodeField, proofOf } from './code-field.tsx';
import type { Overlay } from './overlay.ts';
import { securityTexts } from './security-texts.ts';
import { frameTexts } from './texts.ts';
import { useGo } from './use-go.ts';

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
  const [code, setCode] = useState('');
  const [factors, setFactors] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const isNew = purpose === 'register';

  const enter = async (come: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await come();
      setPassword('');
      onClose();
    } catch (fault) {
      // Asked for a second factor for the first time, one has made no mistake yet.
      const isFirst = factors.length === 0 && factorsOf(fault).length > 0;
      setFactors(factorsOf(fault));
      if (!isFirst && !isChangeOfMind(fault)) setError(fault);
    } finally {
      setBusy(false);
    }
  };
  const send = (event: FormEvent): Promise<void> => {
    event.preventDefault();
    return enter(() => {
      if (factors.length > 0) return sessionStore.logIn(email, password, proofOf(code));
      if (isNew) return sessionStore.register(email, password, name);
      return sessionStore.logIn(email, password);
    });
  };
  const asksForCode = factors.includes('totp') || factors.includes('recovery_code');

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
        {asksForCode && <CodeField value={code} onChange={setCode} />}
        <DemoNote />
        {error !== null && <ErrorNote error={error} />}
        <Button kind="primary" size="large" type="submit" isWide isBusy={isBusy}>
          {t(isNew ? 'register' : 'signIn')}
        </Button>
        <OtherWays
          isNew={isNew}
          onPasskey={() => enter(() => sessionStore.logInWithPasskey())}
          onLeave={onClose}
          onSwitch={() => {
            setError(null);
            onSwitch(isNew ? 'sign_in' : 'register');
          }}
        />
      </form>
    </Dialog>
  );
}

/** Said before, since nobody gets back into a demo account. */
function DemoNote() {
  const t = useTexts(frameTexts);
  const session = useSession();
  const isDemo = session.status === 'signed_in' && session.isDemo;
  return isDemo ? <p className="rounded-md bg-warn-soft p-3 text-warn">{t('demoStays')}</p> : null;
}

interface OtherProps {
  readonly isNew: boolean;
  readonly onPasskey: () => void;
  readonly onLeave: () => void;
  readonly onSwitch: () => void;
}

function OtherWays({ isNew, onPasskey, onLeave, onSwitch }: OtherProps) {
  const t = useTexts(frameTexts);
  const security = useTexts(securityTexts);
  const go = useGo();
  return (
    <>
      {!isNew && hasPasskeys() && (
        <Button isWide onClick={onPasskey}>
          {security('usePasskey')}
        </Button>
      )}
      {!isNew && (
        <Button
          kind="quiet"
          isWide
          onClick={() => {
            onLeave();
            go('/forgot');
          }}
        >
          {security('forgot')}
        </Button>
      )}
      <Button kind="quiet" isWide onClick={onSwitch}>
        {t(isNew ? 'haveAccount' : 'noAccount')}
      </Button>
    </>
  );
}
