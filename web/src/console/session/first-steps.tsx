// After signing in: an operator replaces the password that the exchange issued, and sets up a second factor.
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { ownArea } from '../areas.ts';
import { LaneLink } from '../lane-link.tsx';
import { OwnFactor } from './own-factor.tsx';
import type { Identity } from './session-store.ts';
import { useIdentity } from './use-session.ts';

/** Whether the account is still open to anybody who has seen the issued password, or to a password alone. */
export function isUnsecured({ session, password_issued, second_factor }: Identity): boolean {
  return session !== null && (password_issued || !second_factor);
}

/** Per session: a reload does not ask again, the next sign-in does. */
const LEFT = 'sibyl.console.first-steps';

/** Whether the page is open, and how to leave it. It stays open when both steps are done: it may show recovery codes. */
export function useFirstSteps(): readonly [boolean, () => void] {
  const identity = useIdentity();
  const id = identity.session?.session_id ?? '';
  const [isOpen, setOpen] = useState(
    () => isUnsecured(identity) && sessionStorage.getItem(LEFT) !== id,
  );
  const leave = (): void => {
    sessionStorage.setItem(LEFT, id);
    setOpen(false);
  };
  return [isOpen || identity.must_enrol, leave];
}

export function FirstSteps({ onLeave }: { readonly onLeave: () => void }) {
  const identity = useIdentity();
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-4">
      <h1 className="text-lg font-semibold">Secure your account</h1>
      <p className="text-muted">
        This account can move money. Anyone with its password can sign in until you finish both
        steps.
      </p>
      <Password />
      <OwnFactor />
      {!identity.must_enrol && (
        <Button kind={isUnsecured(identity) ? 'quiet' : 'primary'} onClick={onLeave}>
          {isUnsecured(identity) ? 'Remind me later' : 'Continue to the console'}
        </Button>
      )}
    </div>
  );
}

function Password() {
  const { password_issued: isIssued } = useIdentity();
  return (
    <Card title="Password">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className={isIssued ? 'text-warn' : ''}>
          {isIssued
            ? 'You use the password that was issued to you. Set one that only you know.'
            : 'You set your own password.'}
        </p>
        {isIssued && (
          <ActButton act="changeOperatorPassword" label="Set a new password" kind="primary" />
        )}
      </div>
    </Card>
  );
}

/** Stays on every page until both steps are done. */
export function UnsecuredNote() {
  const { password_issued: isIssued, second_factor: hasFactor } = useIdentity();
  const missing = [
    ...(isIssued ? ['you still use the issued password'] : []),
    ...(hasFactor ? [] : ['you have no second factor']),
  ];
  return (
    <p role="status" className="bg-warn-soft px-4 py-1 text-center text-warn">
      Your account is not secure: {missing.join(', and ')}.{' '}
      <LaneLink to={ownArea.path} className="underline">
        Fix it now
      </LaneLink>
    </p>
  );
}
