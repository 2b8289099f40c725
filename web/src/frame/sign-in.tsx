// Signing in and registering, in one small form.
import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Field } from '../components/field.tsx';
import { hasPasskeys, isChangeOfMind } from '../session/passkeys.ts';
import { keptReferral } from '../session/referral.ts';
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
  const second = useSecondFactor();
  const [isBusy, setBusy] = useState(false);
  const isNew = purpose === 'register';

  const enter = async (come: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await come();
      setPassword('');
      second.forget();
      onClose();
    } catch (fault) {
      const isFirst = second.learn(fault);
      if (!isFirst && !isChangeOfMind(fault)) setError(fault);
    } finally {
      setBusy(false);
    }
  };
  const send = (event: FormEvent): Promise<void> => {
    event.preventDefault();
    return enter(() => {
      if (isNew) return sessionStore.register(email, password, name);
      return sessionStore.logIn(email, password, second.proof);
    });
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
          onChange={(event) => {
            setEmail(event.target.value);
            // Whoever else it is may have other factors, or none.
            second.forget();
          }}
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
        {second.hasCode && <CodeField value={second.code} onChange={second.setCode} />}
        {isNew && <InvitedNote />}
        <DemoNote isNew={isNew} />
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
            second.forget();
            onSwitch(isNew ? 'sign_in' : 'register');
          }}
        />
      </form>
    </Dialog>
  );
}

/** The factor that was asked for beside the password, and what was given for it. */
function useSecondFactor() {
  const [code, setCode] = useState('');
  const [factors, setFactors] = useState<readonly string[]>([]);
  return {
    code,
    setCode,
    hasCode: factors.includes('totp') || factors.includes('recovery_code'),
    proof: factors.length > 0 ? proofOf(code) : undefined,
    /** True if it is asked for the first time: then nobody has made a mistake. Another error takes back nothing. */
    learn: (fault: unknown): boolean => {
      const asked = factorsOf(fault);
      if (asked.length > 0) setFactors(asked);
      return asked.length > 0 && factors.length === 0;
    },
    forget: (): void => {
      setFactors([]);
      setCode('');
    },
  };
}

/** Said before, since somebody earns by it. */
function InvitedNote() {
  const t = useTexts(frameTexts);
  const code = keptReferral(Date.now());
  return code === null ? null : <p className="text-muted">{t('invited', { code })}</p>;
}

/** Registering keeps a demo account; signing in leaves it, and nobody gets back into it. */
function DemoNote({ isNew }: { readonly isNew: boolean }) {
  const t = useTexts(frameTexts);
  const session = useSession();
  const isDemo = session.status === 'signed_in' && session.isDemo;
  if (!isDemo) return null;
  if (isNew) return <p className="rounded-md bg-accent-soft p-3">{t('demoComes')}</p>;
  return <p className="rounded-md bg-warn-soft p-3 text-warn">{t('demoStays')}</p>;
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
