// Checks the emitted OpenAPI documents: valid, current, and complete.

import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../src/define.ts';
import { errors, isErrorCode } from '../src/errors.ts';
import { operations } from '../src/operations/all.ts';
import { operatorOperations } from '../src/operator.ts';
import { at, isNode, type Node, nodesOf } from '../test/walk.ts';
import { type Json, operatorDocument, publicDocument } from './openapi.ts';
import { lift } from './openapi-component.ts';

const alwaysSent = [
  'X-Request-ID',
  'X-API-Version',
  'X-Money-Format',
  'X-PII-Redacted',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Category',
  'X-RateLimit-Scope',
  'X-RateLimit-Reset',
];

const guide = readFileSync(new URL('../../docs/INTERFACE.md', import.meta.url), 'utf8');
const documents: readonly [string, Json, readonly AnyOperation[]][] = [
  ['openapi.json', publicDocument(guide), Object.values(operations)],
  ['operator-openapi.json', operatorDocument(), Object.values(operatorOperations)],
];

describe.each(documents)('%s', (name, document, list) => {
  it('[CT17] is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('[CT17] is committed as emitted', () => {
    const committed = readFileSync(new URL(`../generated/${name}`, import.meta.url), 'utf8');
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('[CT17] has every operation under its path and method', () => {
    const found = list.map(({ path, method }) => at(document, 'paths', path, method.toLowerCase()));
    expect(found.map((node) => node.operationId)).toEqual(list.map(({ id }) => id));
  });

  it('[CT17] resolves every reference', () => {
    for (const [path, node] of nodesOf(document, name)) {
      const target = node.$ref;
      if (typeof target !== 'string') continue;
      const steps = target.replace('#/', '').split('/');
      expect([path, target, Object.keys(at(document, ...steps)).length > 0]).toEqual([
        path,
        target,
        true,
      ]);
    }
  });

  it('[CT17] writes closed sets as enum, never as a union of constants', () => {
    for (const [path, node] of nodesOf(at(document, 'components', 'schemas'), name)) {
      const branches = node.anyOf;
      if (!Array.isArray(branches)) continue;
      expect([path, branches.some((branch) => isNode(branch) && 'const' in branch)]).toEqual([
        path,
        false,
      ]);
    }
  });

  it.each(list.map((operation) => [operation.id, operation] as const))(
    '[CT17] %s: every answer has its headers, and every code in force its status',
    (_id, operation) => {
      const responses = at(
        document,
        'paths',
        operation.path,
        operation.method.toLowerCase(),
        'responses',
      );
      const seen: string[] = [];
      for (const [status, reference] of Object.entries(responses)) {
        const response = resolve(document, reference);
        expect(Object.keys(at(response, 'headers'))).toEqual(expect.arrayContaining(alwaysSent));
        if (status === '429') expect(Object.keys(at(response, 'headers'))).toContain('Retry-After');
        if (status === '200') continue;
        const examples = Object.keys(at(response, 'content', 'application/json', 'examples'));
        for (const code of examples) {
          expect(isErrorCode(code) && errors[code].status).toBe(Number(status));
        }
        seen.push(...examples);
      }
      const inForce = operation.errors.filter((code) => errors[code].since !== 'later');
      expect(seen.sort()).toEqual([...inForce].sort());
    },
  );
});

describe('components', () => {
  it('[CT17] refuses two schemas under one title', () => {
    const schemas = new Map<string, Json>();
    lift({ title: 'Twice', type: 'string' }, schemas);
    lift({ title: 'Twice', type: 'string' }, schemas);
    expect(() => lift({ title: 'Twice', type: 'integer' }, schemas)).toThrow('Twice');
  });

  it('[CT17] does not take a property named title for a title', () => {
    const schemas = new Map<string, Json>();
    lift({ type: 'object', properties: { title: { type: 'string' } } }, schemas);
    expect(schemas.size).toBe(0);
  });
});

function resolve(document: Node, node: unknown): Node {
  if (!isNode(node)) throw new Error('not an object');
  const target = node.$ref;
  return typeof target === 'string' ? at(document, ...target.replace('#/', '').split('/')) : node;
}
