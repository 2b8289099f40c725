import { type AnyOperation, operatorOperations } from '@sibyl/contract/console';
import { expect, it } from 'vitest';
import { helpFor, phraseFor } from './act-words.ts';
import { past, saidIn } from './said.ts';

const acts: readonly AnyOperation[] = Object.values(operatorOperations).filter(
  ({ method }) => method !== 'GET',
);

function exampleOf({ example }: AnyOperation): Record<string, unknown> {
  const { params = {}, body = {} } = example as { params?: object; body?: object };
  return { ...params, ...body };
}

it.each(acts.map((operation) => [operation.id, operation] as const))(
  '[WOC17] says %s in words, without codes or names of fields',
  (id, operation) => {
    const phrase = phraseFor(id, saidIn(exampleOf(operation)));
    expect(phrase).not.toMatch(/…|undefined|[{}"]/);
    // Ids are all that has an underscore.
    expect(phrase.replaceAll(/\b(?:[a-z]+_[\w]{8,})/g, '')).not.toMatch(/_|[a-z][A-Z]/);
    expect(helpFor(id, '')).toMatch(/^[A-Z].*\.$/);
    expect(helpFor(id, '')).not.toMatch(/[A-Z]{3,}_|[a-z]_[a-z]|[a-z][A-Z]/);
  },
);

it('[WOC17] says what was done, to whom and how much', () => {
  const credit = saidIn(exampleOf(operatorOperations.creditDeposit as AnyOperation));
  expect(past(phraseFor('creditDeposit', credit))).toMatch(/^credited 250 USDT to acc_\w+$/);
  const builder = saidIn({ user_id: 'usr_1' }, { name: 'Judge Ltd' });
  expect(past(phraseFor('approveBuilder', builder))).toBe(
    'approved the builder application of Judge Ltd',
  );
  const roles = saidIn({ operator_id: 'opr_1', roles: ['market_manager', 'support'] });
  expect(past(phraseFor('setOperatorRoles', roles))).toBe(
    'set the roles of opr_1 to market manager, support',
  );
  const receiver = { account_id: 'acc_ada', address: '127.0.0.1', port: 4400, ttl_sec: 120 };
  expect(past(phraseFor('allowLocalReceiver', saidIn(receiver)))).toBe(
    'allowed webhooks of acc_ada to port 4400 of 127.0.0.1 for 120 seconds',
  );
  expect(past(phraseFor('allowLocalReceiver', saidIn({ ...receiver, ttl_sec: 0 })))).toBe(
    'ended webhooks of acc_ada to port 4400 of 127.0.0.1',
  );
  // Entries of another build, and those that were too long to keep whole.
  expect(phraseFor('anotherAct', roles)).toBe('anotherAct');
  expect(phraseFor('creditDeposit', saidIn({}))).toBe('credit … … to …');
});
