// Answers that are no success, though the request was.
import { operatorOperations } from '@sibyl/contract';
import { expect, it } from 'vitest';
import { faultIn, noteOn } from './answers.ts';

const {
  approveAct,
  createBackup,
  getApproval,
  getHistory,
  getPlatform,
  getReconciliation,
  rejectWithdrawal,
} = operatorOperations;

it('[CL9] tells what is not well in an answer, and nothing where all is', () => {
  const act = approveAct.example.data;
  const outcome = { code: 'SANCTIONS_HIT', message: 'On a list.', details: { rule_id: 'list' } };
  expect(faultIn(approveAct, { ...act, state: 'failed', outcome })).toEqual({
    code: 'SANCTIONS_HIT',
    message: expect.stringMatching(/refused .*SANCTIONS_HIT: On a list\. .*"rule_id":"list"/),
  });
  expect(faultIn(approveAct, act)).toBeNull();
  // A look at one that failed, and money that was given back, are what was asked for.
  expect(faultIn(getApproval, { ...act, state: 'failed', outcome })).toBeNull();
  expect(faultIn(rejectWithdrawal, rejectWithdrawal.example.data)).toBeNull();

  const { run, report } = getReconciliation.example.data;
  expect(faultIn(getReconciliation, { run, report })).toBeNull();
  const unbalanced = { run, report: { ...report, balanced: false } };
  expect(faultIn(getReconciliation, unbalanced)?.code).toBe('NOT_BALANCED');
  const broken = { run: { ...run, state: 'failed', error: 'no space' }, report };
  expect(faultIn(getReconciliation, broken)?.message).toBe('no space');
  const history = getHistory.example.data;
  const { rebuild } = history;
  const failed = { ...history, rebuild: { ...rebuild, state: 'failed', error: 'no space' } };
  expect(faultIn(getHistory, failed)?.message).toBe('no space');
  const platform = getPlatform.example.data;
  expect(faultIn(getPlatform, platform)).toBeNull();
  const [lane] = platform.lanes;
  const stopped = { ...platform, lanes: [{ ...lane, state: 'stopped', reason: 'no space' }] };
  expect(faultIn(getPlatform, stopped)?.message).toBe('live is stopped: no space');
});

it('[CL26] says which lane a backup of a running server has left out', () => {
  const made = createBackup.example.data;
  expect(noteOn(createBackup, { ...made, left_out: ['sandbox'] })).toMatch(/^Left out: sandbox,/);
  expect(noteOn(createBackup, made)).toBeNull();
});

it('[CL9] says of what waits that nothing was done, and who may agree', () => {
  const waiting = getApproval.example.data;
  expect(noteOn(approveAct, waiting)).toContain('(market manager or admin) has to agree');
  expect(noteOn(approveAct, { ...waiting, role: 'admin' })).toContain('(admin) has to agree');
  const alone = { ...waiting, confirmable_at: '2026-11-15T12:00:00.000Z' };
  expect(noteOn(approveAct, alone)).toContain('from 2026-11-15T12:00:00.000Z on');
  expect(noteOn(getApproval, waiting)).toBeNull();
  expect(noteOn(approveAct, approveAct.example.data)).toBeNull();
});
