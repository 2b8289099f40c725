// What to do about a refusal of the operator plane, or where it does not answer, as a command that can be typed.

import { limits } from '@sibyl/contract';
import { SibylConnectionError } from '@sibyl/sdk';
import { noAnswerAdvice } from '../no-answer.ts';
import type { Advise } from '../run.ts';
import { savedSession } from './operator-session.ts';

interface Asked {
  readonly url: string;
  /** Whether it was said where the server is: it has to be said again. */
  readonly isElsewhere: boolean;
  /** A bearer that was given, by `--token`. */
  readonly token: string | undefined;
}

/** Null where the refusal says all that there is to say. */
export function adviceOn({ url, isElsewhere, token }: Asked): Advise {
  const at = isElsewhere ? ` --url ${url}` : '';
  return (error) => {
    if (error instanceof SibylConnectionError) return noAnswerAdvice(error, 'SIBYL_ADMIN_URL');
    const { code, details } = error;
    if (code === 'STEP_UP_MFA_REQUIRED') {
      return details.reason === 'not_enrolled'
        ? `sibyl admin confirm${at}, sibyl admin factor enrol${at}, then sibyl admin factor confirm --otp CODE${at}`
        : `sibyl admin confirm${at}, then this command again`;
    }
    if (code !== 'AUTH_INVALID' && code !== 'AUTH_REQUIRED') return null;
    if (token !== undefined) return 'the server does not know the bearer of --token';
    const session = savedSession(url);
    if (session === null) return 'the server has another OPERATOR_TOKEN, or none';
    const { sessionMs, idleMs } = limits.operator;
    const span = `${sessionMs / 3_600_000} hours, or ${idleMs / 60_000} minutes without a request`;
    return `the session is over (it lasts ${span}): sibyl admin login ${session.name ?? 'NAME'}${at}`;
  };
}
