import { type AnyOperation, operatorOperations } from '@sibyl/contract/console';
import { expect, it } from 'vitest';
import { type ActField, type Draft, fieldsOf, hasLane, hasReason } from './act-fields.ts';
import { readDraft } from './act-input.ts';

const acts: readonly AnyOperation[] = Object.values(operatorOperations).filter(
  ({ method }) => method !== 'GET',
);

/** What somebody would type to say what the contract's example says. */
function typed({ kind }: ActField, value: unknown): string | readonly string[] {
  if (value === undefined) return kind === 'choices' ? [] : '';
  if (value === null) return 'null';
  if (kind === 'choices') return value as readonly string[];
  if (kind === 'lines') return (value as readonly string[]).join('\n');
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'flag') return value === true ? 'yes' : 'no';
  if (kind === 'time') return new Date(Number(value)).toISOString();
  return String(value);
}

it.each(acts.map((operation) => [operation.id, operation] as const))(
  '[WOC4] the form of %s says what its example says',
  (_id, operation) => {
    const { params = {}, body = {} } = operation.example as {
      readonly params?: Readonly<Record<string, unknown>>;
      readonly body?: Readonly<Record<string, unknown>>;
    };
    const fields = fieldsOf(operation);
    const draft: Draft = Object.fromEntries(
      fields.map((field) => [
        field.name,
        typed(field, (field.part === 'params' ? params : body)[field.name]),
      ]),
    );
    const read = readDraft(fields, draft);
    expect(read.faults).toEqual({});
    expect(read.params).toEqual(params);
    const { lane, reason, ...others } = body;
    expect(read.body).toEqual(others);
    expect(hasLane(operation)).toBe(lane !== undefined);
    expect(hasReason(operation)).toBe(reason !== undefined);
  },
);

it('[WOC4] says beside the field what is missing or cannot be read', () => {
  const fields = fieldsOf(operatorOperations.setTierCeilings);
  const wrong = readDraft(fields, { tier: '', rate_multiplier: 'ten' });
  expect(wrong.faults).toEqual({
    tier: 'This is needed.',
    rate_multiplier: 'A whole number is needed.',
  });
  const none = readDraft(fields, { tier: 'partner', order_notional_max: 'null' });
  expect(none.body).toEqual({ tier: 'partner', order_notional_max: null });
  const chain = readDraft(fieldsOf(operatorOperations.attachChainData), {
    record: 'market',
    id: 'm_1',
    chain_data: '{',
  });
  expect(chain.faults).toEqual({ chain_data: 'This is no JSON.' });
});
