// Checks what holds for every schema and example: money, names, times, paging, closedness.

import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { isNode, nodesOf, propertiesOf } from '../test/walk.ts';
import type { AnyOperation } from './define.ts';
import { ErrorEnvelope, envelopeOf } from './envelope.ts';
import { operations } from './operations/all.ts';
import { webhookOperations } from './operations/webhooks.ts';
import { operatorOperations } from './operator.ts';
import { streamMessages } from './streams/all.ts';
import { closedSchema } from './strict.ts';
import { webhookEvents } from './webhooks.ts';

const options = { strict: false, validateFormats: false, allErrors: true };
const draft2020 = new Ajv2020(options);
const draft07 = new Ajv(options);
const everything: Readonly<Record<string, AnyOperation>> = {
  ...operations,
  ...webhookOperations,
  ...operatorOperations,
};
const byId = Object.entries(everything);
const parts = ['params', 'query', 'body'] as const;
const moneyPattern = '^-?[0-9]+(\\.[0-9]{1,18})?$';
const moneyName =
  /(^|_)(price|size|amount|balance|volume|notional|fee|rebate|cost|deposit|bet|bond|pnl|payout|paid|free|reserved|total|sum|budget|remaining|interest|24h|pending)(_|$)/;
/** Names that look like money and are counts, flags, times, texts or records. */
const notMoney = new Set([
  'accept_price',
  'paid_by_hand',
  'page_size',
  'total_count',
  'accounts_paid',
  'secrets_withheld',
  'fee_schedule',
  'reserved_by',
  'deposit_instructions',
  'taker_fee',
  'maker_rebate',
  'builder_fee_max_bps',
  'payout_vector',
  'payouts',
  'deposit_id',
  'balances',
  'balanced',
  'totals',
]);

/** Prices of other things, which are written as their source has them, and a share of one. */
const notInUsdt = new Set(['reference_price', 'settle_price', 'strike', 'strength']);

describe('schemas', () => {
  it.each(byId)(
    '[CT9] %s: the example satisfies its schema, with nothing undeclared',
    (_id, operation) => {
      expect(violations(closedSchema(operation.data), operation.example.data)).toEqual([]);
      const given = new Map<string, unknown>(Object.entries(operation.example));
      for (const part of parts) {
        const schema = operation.input[part];
        if (schema === null) expect(given.has(part)).toBe(false);
        else expect(violations(schema, given.get(part))).toEqual([]);
      }
    },
  );

  it.each<readonly [string, { readonly data: object; readonly example: unknown }]>([
    ...byId.map(([id, { data, example }]) => [id, { data, example: example.data }] as const),
    ...Object.entries(streamMessages),
    ...Object.entries(webhookEvents),
  ])('[CT28] %s: money in the example has six decimals', (_name, { data, example }) => {
    const asWritten = JSON.stringify(data, (name, value) => {
      if (notInUsdt.has(name)) return {};
      return name === 'pattern' && value === moneyPattern ? '^-?[0-9]+[.][0-9]{6}$' : value;
    });
    expect(violations(JSON.parse(asWritten), example)).toEqual([]);
  });

  it.each(byId)('[CT18] %s compiles under both drafts', (_id, operation) => {
    for (const schema of [envelopeOf(operation), ...parts.map((part) => operation.input[part])]) {
      if (schema === null) continue;
      expect(draft07.validateSchema(plain(schema))).toBe(true);
      expect(draft2020.validateSchema(plain(schema))).toBe(true);
      expect(() => draft07.compile(plain(schema))).not.toThrow();
      expect(() => draft2020.compile(plain(schema))).not.toThrow();
    }
  });

  it.each(byId)(
    '[CT10] %s: money is a decimal string, and nothing is a float',
    (_id, operation) => {
      for (const [path, node] of nodesOf(schemasOf(operation), operation.id)) {
        expect([path, [node.type].flat().includes('number')]).toEqual([path, false]);
      }
      for (const { path, name, schema } of allProperties(operation)) {
        if (!moneyName.test(name) || notMoney.has(name) || /_(ms|id|bps|at)$/.test(name)) continue;
        const isMoney = schema.pattern === moneyPattern && [schema.type].flat()[0] === 'string';
        const isRecord = schema.type === 'object' || 'anyOf' in schema;
        expect([path, isMoney || isRecord]).toEqual([path, true]);
      }
    },
  );

  it.each(byId)('[CT11] %s: all keys are snake_case', (_id, operation) => {
    for (const { path, name } of allProperties(operation)) {
      expect([path, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)]).toEqual([path, true]);
    }
  });

  it.each(byId)('[CT12] %s: *_at and *_at_ms come together', (_id, operation) => {
    for (const { path, name, siblings } of propertiesOf(operation.data, operation.id)) {
      if (name.endsWith('_at'))
        expect([path, siblings]).toEqual([path, expect.arrayContaining([`${name}_ms`])]);
      if (name.endsWith('_at_ms'))
        expect([path, siblings]).toEqual([path, expect.arrayContaining([name.slice(0, -3)])]);
    }
    for (const [path, node] of nodesOf(operation.example.data, operation.id)) {
      for (const [name, value] of Object.entries(node)) {
        if (!name.endsWith('_at')) continue;
        const ms = value === null ? null : Date.parse(String(value));
        expect([path, name, node[`${name}_ms`]]).toEqual([path, name, ms]);
      }
    }
  });

  it.each(byId)('[CT13] %s: lists and only lists are paged', (_id, operation) => {
    const names = Object.keys(operation.input.query?.properties ?? {});
    expect(names.includes('cursor')).toBe(operation.list);
    if (operation.list) expect(names).toContain('limit');
    // One name for one thing: how many entries an answer has at most is never called otherwise.
    expect(names).not.toContain('count');
    expect(plain(operation.data).type === 'array').toBe(operation.list);
  });

  it.each(byId)('[CT14] %s: input is closed, output is open', (_id, operation) => {
    for (const part of ['query', 'body'] as const) {
      const schema = operation.input[part];
      if (schema === null) continue;
      // The standard of OAuth has servers pass over what they do not know.
      const isOpen = operation.takesForms ? undefined : false;
      expect(plain(schema).additionalProperties).toBe(isOpen);
      for (const [path, node] of nodesOf(plain(schema).properties, operation.id)) {
        if (node.type === 'object' && 'properties' in node)
          expect([path, node.additionalProperties]).toEqual([path, false]);
      }
    }
    for (const [path, node] of nodesOf(operation.data, operation.id)) {
      if (node.type === 'object' && 'properties' in node) {
        expect([path, 'additionalProperties' in node]).toEqual([path, false]);
      }
    }
  });

  it('[CT9] a limit order without a price is refused for the missing field', () => {
    const body = { ...everything.placeOrder?.example, ...{} };
    const { price: _price, ...rest } = Object.fromEntries(
      Object.entries(new Map(Object.entries(body)).get('body') ?? {}),
    );
    const schema = operations.placeOrder.input.body;
    expect(violations(schema, rest)).toContain('required price');
    expect(violations(schema, { ...rest, order_type: 'market' })).toEqual([]);
  });

  it('[CT9] the dead-man switch takes 0 and 5 s to 5 min', () => {
    const schema = operations.heartbeat.input.body;
    for (const [timeout_ms, isValid] of [
      [0, true],
      [1, false],
      [4999, false],
      [5000, true],
      [300_000, true],
      [300_001, false],
    ]) {
      expect([timeout_ms, violations(schema, { timeout_ms }).length === 0]).toEqual([
        timeout_ms,
        isValid,
      ]);
    }
  });

  it('[CT9] an error answer satisfies the error envelope', () => {
    const answer = {
      ok: false,
      data: null,
      meta: { request_id: 'req_1', server_ts_ms: 1 },
      error: { code: 'NOT_FOUND', message: 'There is nothing here.', trace_id: 'req_1' },
    };
    expect(violations(closedSchema(ErrorEnvelope), answer)).toEqual([]);
    expect(
      violations(ErrorEnvelope, { ...answer, error: { ...answer.error, code: 'NOPE' } }),
    ).not.toEqual([]);
  });
});

function violations(schema: object, value: unknown): string[] {
  const validate = draft2020.compile(plain(schema));
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ keyword, params, instancePath, message }) =>
    keyword === 'required' ? `required ${params.missingProperty}` : `${instancePath} ${message}`,
  );
}

function allProperties(operation: AnyOperation) {
  return schemasOf(operation).flatMap((schema) => [...propertiesOf(schema, operation.id)]);
}

function schemasOf(operation: AnyOperation): object[] {
  const { params, query, body } = operation.input;
  return [operation.data, params, query, body].filter((schema) => schema !== null);
}

function plain(schema: object): Record<string, unknown> {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  return isNode(copy) ? copy : {};
}
