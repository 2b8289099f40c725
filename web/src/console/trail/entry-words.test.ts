import { expect, it } from 'vitest';
import { type Entry, sentenceOf } from './entry-words.ts';

const entry = (change: Partial<Entry>): Entry => ({
  seq: 1,
  acted_at: '2026-11-14T12:00:00.000Z',
  acted_at_ms: 1_794_657_600_000,
  operator_id: 'opr_grace',
  roles: ['treasurer'],
  operation: 'creditDeposit',
  lane: 'live',
  target: '/admin/v1/accounts/acc_01/deposits',
  what: '{"asset":"USDT","amount":"250","external_ref":"wire-0001"}',
  reason: 'wire received',
  request_id: 'req_1',
  outcome: 'ok',
  previous: '0',
  hash: '1',
  ...change,
});

const nameOf = (id: string): string => id.replace('opr_', '');

it('[WOC18] says in the audit log who did what to whom and how much', () => {
  const told = (change: Partial<Entry>): string => sentenceOf(entry(change), nameOf);
  expect(told({})).toBe('grace credited 250 USDT to acc_01');
  expect(told({ outcome: 'proposed' })).toBe('grace asked to credit 250 USDT to acc_01');
  expect(told({ outcome: 'STATE_CONFLICT' })).toBe('grace tried to credit 250 USDT to acc_01');
  // Cut off in the middle, and from the command line of a stopped server.
  expect(told({ what: '{"asset":"USDT","amo' })).toBe('grace credited … … to acc_01');
  expect(told({ operation: 'resetOperator', target: 'ada', operator_id: 'offline' })).toBe(
    'offline: resetOperator ada',
  );
});
