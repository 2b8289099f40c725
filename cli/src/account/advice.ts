// What an account holder can do about a refusal, or where no answer came, as a command that can be typed.

import { SibylConnectionError, type SibylError } from '@sibyl/sdk';
import { noAnswerAdvice } from '../no-answer.ts';
import type { Advise } from '../run.ts';
import { timeText } from '../table.ts';
import { savedName } from './credentials.ts';

export interface Asked {
  readonly url: string;
  /** Whether that is where every command goes: another place has to be said again. */
  readonly isUsual: boolean;
  /** What to do where nothing was found. */
  readonly ifUnknown: string | undefined;
}

/** Null where the refusal says all that there is to say. */
export function adviceOn(asked: Asked): Advise {
  return (error) => {
    if (error instanceof SibylConnectionError) return noAnswerAdvice(error, 'SIBYL_URL');
    const { code, retryAfterMs, details } = error;
    switch (code) {
      case 'AUTH_INVALID':
      case 'AUTH_REQUIRED':
      case 'TOKEN_EXPIRED':
      case 'TOKEN_REVOKED':
      case 'TOKEN_INVALID':
        return process.env.SIBYL_TOKEN?.trim()
          ? 'SIBYL_TOKEN is what was refused: set another one, or none to be who is signed in here'
          : `sign in again: ${loginAs(asked)}`;
      case 'STEP_UP_MFA_REQUIRED':
        return proofAdvice(error, loginAs(asked));
      case 'SCOPE_MISSING':
        return missingAdvice(details.required, loginAs(asked));
      case 'SANDBOX_ONLY':
      case 'WRONG_ENV_KEY':
        return 'say which lane is meant: --sandbox or --live';
      case 'NOT_FOUND':
        return asked.ifUnknown ?? null;
      case 'MARKET_NOT_FOUND':
        return typeof details.exists_in === 'string'
          ? `it is in the other lane: --${details.exists_in}`
          : 'sibyl markets lists them';
      case 'RATE_LIMITED':
        return retryAfterMs === null ? null : waitAdvice(retryAfterMs);
      case 'SANDBOX_KEY_DAILY_LIMIT':
        return `sign in with the key that you have: sibyl login --key${elsewhere(asked)}; or register on the pages, then ${loginAs(asked)}`;
      case 'STATE_CONFLICT':
        return stateAdvice(details);
      case 'OPERATOR_AGREEMENT_MISSING':
        return `read it with sibyl builder agreement, then apply: sibyl builder apply TRACK --agree ${String(details.version ?? 'VERSION')}`;
      case 'BUILDER_NOT_APPROVED':
        return 'an operator has to approve you first: sibyl builder says how far that is';
      case 'WEBHOOK_URL_INVALID':
        return 'in the sandbox, sign in as an operator with the role admin (sibyl admin login NAME), and listen asks the server for this port; or set WEBHOOK_ALLOW=127.0.0.0/8 at the server, or give --public-url of a tunnel that leads here';
      default:
        return null;
    }
  };
}

/** As whoever is signed in here, in the lane that they chose: a login without it would change that. */
function loginAs({ url, isUsual }: Asked): string {
  const saved = savedName(url);
  const name = saved?.name.includes('@') === true ? saved.name : 'EMAIL';
  const lane = saved?.isSandbox === true ? ' --sandbox' : '';
  return `sibyl login ${name}${lane}${elsewhere({ url, isUsual })}`;
}

/** What names the server to a command that would ask another one. */
function elsewhere({ url, isUsual }: Pick<Asked, 'url' | 'isUsual'>): string {
  return isUsual ? '' : ` --url ${url}`;
}

/** What a session is confirmed with differs: a password alone, or a second factor. */
function proofAdvice({ details: { factors } }: SibylError, login: string): string {
  const has: readonly unknown[] = Array.isArray(factors) ? factors : [];
  if (has.includes('password')) return `sign in anew with your password: ${login}`;
  if (has.includes('totp') || has.includes('recovery_code')) {
    return `sign in anew with your second factor: ${login}`;
  }
  return has.includes('passkey')
    ? 'your account is confirmed by a passkey, which needs a browser: do this on the pages of the exchange'
    : `a key or an app cannot do this by itself: ${login}`;
}

/** Of a long wait people want to know when it is over. */
function waitAdvice(waitMs: number): string {
  if (waitMs <= LONG_WAIT_MS) return `try again in ${Math.ceil(waitMs / 1000)} s`;
  return `try again at ${timeText(new Date(Date.now() + waitMs).toISOString())}`;
}

const LONG_WAIT_MS = 120_000;

function missingAdvice(required: unknown, login: string): string | null {
  if (required === 'session') return `this takes yourself, not a key: ${login}`;
  return required === 'trade' || required === 'withdraw'
    ? `mint a key that may: sibyl keys mint --permission read --permission ${required}`
    : null;
}

function stateAdvice({ reason, resubmit }: SibylError['details']): string | null {
  if (reason === 'signing_off') {
    return 'an operator switches it on: sibyl admin set-key-signing KEY --enabled true --reason TEXT';
  }
  return resubmit === true ? 'give --resubmit to send it to review again' : null;
}
