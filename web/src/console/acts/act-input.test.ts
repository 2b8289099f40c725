import { type AnyOperation, operatorOperations } from '@sibyl/contract/console';
import { expect, it } from 'vitest';
import {
  type ActField,
  type Draft,
  fieldsOf,
  hasLane,
  hasReason,
  type Schema,
  type Typed,
} from './act-fields.ts';
import { draftOf, readDraft } from './act-input.ts';

const acts: readonly AnyOperation[] = Object.values(operatorOperations).filter(
  ({ method }) => method !== 'GET',
);

/** What a person would type to say what the contract's example says. */
function typed({ kind, unit, name, fields }: ActField, value: unknown): Typed {
  if (value === undefined) return kind === 'choices' || kind === 'rows' ? [] : '';
  if (value === null) return 'null';
  if (kind === 'rows') {
    return (value as readonly object[]).map((row) => draftFor(fields, row));
  }
  if (kind === 'choices') return value as readonly string[];
  if (kind === 'lines') return (value as readonly string[]).join('\n');
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'flag') return value === true ? 'yes' : 'no';
  if (kind === 'time') return new Date(Number(value)).toISOString();
  if (unit === null) return String(value);
  const [end, times = 0] = Object.entries(UNITS).find(([suffix]) => name.endsWith(suffix)) ?? [];
  return end === 'bps' ? String(Number(value) / times) : `${Number(value) * times} ms`;
}

const UNITS = { bps: 100, _ms: 1, _sec: 1000, _minutes: 60_000, _hours: 3_600_000 };

function draftFor(fields: readonly ActField[], said: object): Draft {
  return Object.fromEntries(
    fields.map((field) => [field.name, typed(field, at(said, field.name.split('.')))]),
  );
}

/** In the contract's examples an empty list inside a record says no more than none. */
function meaning(said: unknown): unknown {
  const isSaid = (_name: string, value: unknown) =>
    Array.isArray(value) && value.length === 0 ? undefined : value;
  return JSON.parse(JSON.stringify(said, isSaid));
}

function at(said: unknown, [name, ...inside]: readonly string[]): unknown {
  if (name === undefined || said === undefined) return said;
  return at(new Map<string, unknown>(Object.entries(said as object)).get(name), inside);
}

it.each(acts.map((operation) => [operation.id, operation] as const))(
  '[WOC4] the form of %s says what its example says',
  (_id, operation) => {
    const { params = {}, body = {} } = operation.example as {
      readonly params?: Readonly<Record<string, unknown>>;
      readonly body?: Readonly<Record<string, unknown>>;
    };
    const fields = fieldsOf(operation);
    const { lane, reason, ...others } = body;
    const drafts = [draftFor(fields, { ...params, ...body })];
    // Begun with the values of a record, a form says the same; times have no seconds in their field.
    drafts.push({ ...drafts[0], ...draftOf(fields, { ...params, ...others }) });
    for (const draft of drafts) {
      const read = readDraft(fields, draft);
      expect(read.faults).toEqual({});
      expect(read.params).toEqual(params);
      expect(meaning(read.body)).toEqual(meaning(others));
    }
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
  expect(chain.faults.chain_data).toMatch(/^This is not valid JSON: .*position 1/);
});

it('[WOC22] takes records apart into fields, and leaves out records in which nothing is said', () => {
  const fields = fieldsOf(operatorOperations.loadCompliance);
  expect(fields.filter(({ kind }) => kind === 'json')).toEqual([]);
  const draft: Draft = {
    'rules.gates': [{ id: 'g1', operations: ['trade'], country: 'yes' }],
    'rules.anti_abuse.sign_ups.id': 's1',
    'rules.anti_abuse.sign_ups.per_address': '20',
  };
  const half = readDraft(fields, draft);
  expect(half.faults).toEqual({ 'rules.anti_abuse.sign_ups.window_minutes': 'This is needed.' });
  const whole = readDraft(fields, {
    ...draft,
    'rules.anti_abuse.sign_ups.window_minutes': '2 h',
  });
  expect(whole.faults).toEqual({});
  expect(whole.body).toEqual({
    rules: {
      gates: [{ id: 'g1', operations: ['trade'], country: true }],
      anti_abuse: { sign_ups: { id: 's1', per_address: 20, window_minutes: 120 } },
    },
  });
  const row = readDraft(fields, { 'rules.gates': [{ operations: ['trade'] }] });
  expect(row.faults).toEqual({ 'rules.gates[0].id': 'This is needed.' });
});

it('[WOC22] reads numbers in their unit exactly, and says which unit is missing', () => {
  const fields = fieldsOf(operatorOperations.publishTemplate);
  const read = (name: string, text: string) => {
    const found = fields.filter((field) => field.name === name);
    const { body, faults } = readDraft(
      found.map((field) => ({ ...field, within: [] })),
      { [name]: text },
    );
    return faults[name] ?? at(body, name.split('.'));
  };
  expect(read('template.fee_schedule.taker_bps', '0.2')).toBe(20);
  expect(read('template.fee_schedule.taker_bps', '0.07')).toBe(7);
  expect(read('template.fee_schedule.taker_bps', '0.205')).toMatch(/at most 2 decimal places/);
  expect(read('template.duration_sec', '30 d')).toBe(2_592_000);
  expect(read('template.duration_sec', '90')).toMatch(/a number with a unit/);
  expect(read('template.duration_sec', '500 ms')).toMatch(/a number with a unit/);
  expect(read('template.round_config.lock_offset_ms', '1,500 ms')).toBe(1500);
});

it('[WOC23] asks for the parameters of a template, and sends them as the template wants them', () => {
  const shape: Schema = {
    required: ['level', 'closes_at_ms'],
    properties: {
      level: { type: 'number', title: 'Level in USDT' },
      closes_at_ms: { type: 'integer', title: 'When trading closes' },
      symbol: { type: 'string', enum: ['BTC', 'ETH'] },
      is_fast: { type: 'boolean' },
    },
  };
  const fields = fieldsOf(operatorOperations.createPlatformMarket, { params: shape });
  expect(fields.find(({ name }) => name === 'params.level')?.label).toBe('Level in USDT');
  const draft = {
    template_id: 'price-above',
    'params.level': '5000.5',
    'params.closes_at_ms': '2026-12-24T18:00:00.000Z',
    'params.is_fast': 'no',
  };
  expect(readDraft(fields, draft)).toEqual({
    params: {},
    faults: {},
    body: {
      template_id: 'price-above',
      params: { level: 5000.5, closes_at_ms: Date.UTC(2026, 11, 24, 18), is_fast: false },
    },
  });
});
