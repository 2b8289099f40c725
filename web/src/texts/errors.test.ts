import { SibylError } from '@sibyl/sdk';
import { describe, expect, it } from 'vitest';
import { errorSentence } from './errors.ts';

function refused(code: string, message: string, details: object = {}): SibylError {
  return new SibylError({
    ...{ code, message, status: 422, details: { ...details } },
    ...{ requestId: null, retryable: false, retryAfterMs: null },
  });
}

describe('an error', () => {
  it('[WF15] is a sentence without its code', () => {
    const error = refused('STATE_CONFLICT', 'The market is locked.');
    expect(errorSentence('en', error)).toBe('The market is locked.');
  });

  it('[WF15] of a weak password says why, in every language', () => {
    const short = refused('PASSWORD_TOO_WEAK', 'x', { reason: 'length', length_min: 10 });
    expect(errorSentence('en', short)).toContain('at least 10 characters');
    expect(errorSentence('de', short)).toContain('mindestens 10 Zeichen');
    const reasons = ['personal', 'common', 'guessable'];
    const told = reasons.map((reason) =>
      errorSentence('de', refused('PASSWORD_TOO_WEAK', 'x', { reason })),
    );
    expect(new Set(told).size).toBe(reasons.length);
  });

  it('[WF15] of something that is no code names no field', () => {
    const details = { field: 'otp', expected: '^[0-9]{6}$' };
    const error = refused('VALIDATION_FAILED', 'The field otp must be ^[0-9]{6}$.', details);
    expect(errorSentence('en', error)).toContain('six digits');
    expect(errorSentence('en', error)).not.toContain('otp');
  });

  it('[WF15] of a code that does not fit says so, in every language', () => {
    const details = { field: 'otp', expected: 'the code that the authenticator shows now' };
    const error = refused('VALIDATION_FAILED', 'The field otp must be it.', details);
    expect(errorSentence('en', error)).toContain('does not fit');
    expect(errorSentence('de', error)).toContain('passt nicht');
  });

  it('[WF15] of a browser that keeps no passkey for this address says how to open the page', () => {
    const error = new Error('127.0.0.1 is an invalid domain');
    error.name = 'SecurityError';
    expect(errorSentence('en', error)).toContain('localhost');
  });
});
