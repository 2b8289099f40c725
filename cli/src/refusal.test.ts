import { errors, isErrorCode } from '@sibyl/contract';
import { SibylError } from '@sibyl/sdk';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { adviceOn } from './account/advice.ts';
import { refusalWords } from './refusal.ts';

/** As a server refuses: in the words of the catalogue unless it has others. */
function refusal(code: string, details: Record<string, unknown>, message?: string): SibylError {
  const usual = isErrorCode(code) ? errors[code].message : 'No.';
  return new SibylError({
    ...{ code, details, message: message ?? usual, status: 422 },
    ...{ requestId: null, retryable: false, retryAfterMs: null },
  });
}

const midnightMs = Date.UTC(2026, 10, 19);
const ended = { order_id: 'ord_1', size: '10.000000', filled_size: '2.500000' };

const cases: readonly (readonly [
  code: string,
  details: Readonly<Record<string, unknown>>,
  words: string,
])[] = [
  [
    'STATE_CONFLICT',
    { order: { ...ended, status: 'cancelled' }, status: 'cancelled' },
    'ord_1 has ended already: it was cancelled, after 2.50 of 10.00 were filled.',
  ],
  [
    'ALREADY_EXISTS',
    { order: { ...ended, client_order_id: 'mine', status: 'partially_filled' } },
    'Another order of yours is called mine: ord_1, which is partially filled.',
  ],
  [
    'DELEGATION_DAILY_CAP_EXCEEDED',
    { grant_id: 'grt_1', cap: '250.000000', used: '249.500000', resets_at_ms: midnightMs },
    'The daily cap is 250.00 USDT, of which 249.50 are used, by fills and by orders that rest. It counts anew from 2026-11-19 00:00 UTC.',
  ],
  [
    'RISK_LIMIT_BREACH',
    { limit: 'loss_day', max: '10.000000', resets_at_ms: midnightMs },
    'A risk limit of the account would be exceeded (limit loss_day, max 10.00, resets at 2026-11-19 00:00 UTC).',
  ],
  [
    'MARKET_CLOSED',
    { market_id: 'm_1', status: 'resolved' },
    'The market is not open for trading (market m_1, status resolved).',
  ],
  ['MARKET_NOT_FOUND', { market_id: 'm_1' }, 'There is no market m_1.'],
  ['NOT_FOUND', {}, 'There is nothing here.'],
  [
    'SANDBOX_KEY_DAILY_LIMIT',
    { retry_after_sec: 7_201 },
    'One sandbox key per address and day: use the one you have, or register for more (retry after 3 h).',
  ],
  [
    'SCOPE_NOT_ALLOWED',
    { scopes: ['a', 'b'], records: [{ deep: 1 }], is_final: true, none: null },
    'A requested scope or permission may not be granted here (scopes a, b).',
  ],
  [
    'OF_A_LATER_SERVER',
    { asked: { deep: 1 }, reason: 'too_late', wait_ms: 500 },
    'No (too late, wait 500).',
  ],
];

describe('[CL28] refusals in words', () => {
  it.each(cases)('%s is a sentence', (code, details, words) => {
    expect(refusalWords(refusal(code, details))).toBe(`${code}: ${words}`);
  });

  it('what the server says in words of its own is not said twice', () => {
    const words = 'The balance is too small. It takes 5.000000 USDT; 0.000000 are free.';
    const said = refusal('BALANCE_INSUFFICIENT', { required: '5.000000', free: '0.000000' }, words);
    expect(refusalWords(said)).toBe(`BALANCE_INSUFFICIENT: ${words}`);
  });

  it('who has to prove who they are is asked for what they have', () => {
    vi.stubEnv('XDG_CONFIG_HOME', '/nowhere');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const told = (factors: readonly string[]): readonly unknown[] => {
      const error = refusal('STEP_UP_MFA_REQUIRED', { factors });
      const asked = { url: 'http://nowhere.example', isUsual: true, ifUnknown: undefined };
      return [refusalWords(error), adviceOn(asked)(error)];
    };
    const needs = (what: string): string =>
      `STEP_UP_MFA_REQUIRED: This needs your ${what}, given within the last 5 minutes.`;
    expect(told(['password'])).toEqual([
      needs('password'),
      'sign in anew with your password: sibyl login EMAIL',
    ]);
    expect(told(['totp', 'recovery_code'])).toEqual([
      needs('second factor'),
      'sign in anew with your second factor: sibyl login EMAIL',
    ]);
    expect(told(['passkey'])).toEqual([
      needs('second factor'),
      expect.stringContaining('needs a browser'),
    ]);
  });
});
