// Holds the documents to what Redocly and Spectral ask for, and to names for what they use.

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { webhookEventTypes } from '../src/webhooks.ts';
import { isNode, type Node, nodesOf } from '../test/walk.ts';
import { streamDocument } from './asyncapi.ts';
import { operatorDocument, publicDocument } from './openapi.ts';

const guide = readFileSync(new URL('../../docs/INTERFACE.md', import.meta.url), 'utf8');
const openApis: readonly (readonly [string, Node])[] = [
  ['openapi.json', publicDocument(guide)],
  ['operator-openapi.json', operatorDocument()],
];
const all: readonly (readonly [string, Node])[] = [
  ...openApis,
  ['asyncapi.json', streamDocument()],
];

const RE2_REPEATS_MAX = 1_000;

describe.each(all)('%s', (name, document) => {
  const plain: Node = JSON.parse(JSON.stringify(document));

  it('[DC6] says whom it is from and under what licence', () => {
    expect(plain.info).toMatchObject({
      contact: { name: expect.stringMatching(/./) },
      license: { name: 'Apache-2.0', url: expect.stringMatching(/^https:/) },
      description: expect.stringMatching(/./),
    });
  });

  it('[DC9] has patterns for JavaScript without the u flag, Python and RE2', () => {
    const patterns = new Set<string>();
    for (const [, { pattern, patternProperties }] of nodesOf(plain, name)) {
      if (typeof pattern === 'string') patterns.add(pattern);
      if (isNode(patternProperties))
        for (const one of Object.keys(patternProperties)) patterns.add(one);
    }
    expect(patterns.size).toBeGreaterThan(5);
    for (const pattern of patterns) {
      expect(() => new RegExp(pattern)).not.toThrow();
      // What the three share: two-digit \\x, four classes, escaped marks, and groups that only group.
      const rest = pattern.replaceAll(/\\(?:x[0-9a-f]{2}|[dsSw]|[.+?*()[\]{}|\\^$-])/g, '');
      expect([pattern, rest]).toEqual([pattern, expect.not.stringMatching(/\\|\(\?[^:]/)]);
      expect(pattern).not.toMatch(/[\u{10000}-\u{10ffff}]/u);
      for (const [, least = '', most = ''] of pattern.matchAll(/\{(\d+),?(\d*)\}/g)) {
        expect(Math.max(Number(least), Number(most))).toBeLessThanOrEqual(RE2_REPEATS_MAX);
      }
    }
  });

  it('[DC6] has a name for every record', () => {
    for (const [path, node] of schemasIn(plain, name)) {
      // A condition on a record is no record.
      if (!isNode(node.properties) || path.endsWith('.if')) continue;
      expect([path, /\.components\.schemas\.\w+$/.test(path)]).toEqual([path, true]);
    }
  });

  it('[DC6] has a name for every closed set that stands in two places', () => {
    const pathsOf = new Map<string, string[]>();
    for (const [path, node] of schemasIn(plain, name)) {
      if (!Array.isArray(node.enum) || node.enum.length < 2) continue;
      const values = node.enum.filter((value) => value !== null).join(' ');
      pathsOf.set(values, [...(pathsOf.get(values) ?? []), path]);
    }
    expect([...pathsOf.values()].filter((paths) => paths.length > 1)).toEqual([]);
  });

  it('[DC6] has nothing beside a reference', () => {
    for (const [path, node] of nodesOf(plain, name)) {
      if ('$ref' in node) expect([path, Object.keys(node)]).toEqual([path, ['$ref']]);
    }
  });

  it('[DC6] calls its records by names in one style', () => {
    const { schemas } = partOf(plain, 'components');
    const names = Object.keys(isNode(schemas) ? schemas : {});
    expect(names.filter((one) => !/^[A-Z][A-Za-z0-9]*$/.test(one))).toEqual([]);
    expect(names.length).toBeGreaterThan(50);
  });
});

describe.each(openApis)('%s', (name, document) => {
  const plain: Node = JSON.parse(JSON.stringify(document));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: name, components: plain.components });

  it('[DC6] says of every operation and webhook what credential it takes', () => {
    for (const [path, operation] of operationsOf(plain)) {
      expect([path, Array.isArray(operation.security)]).toEqual([path, true]);
      expect([path, operation.summary]).toEqual([path, expect.stringMatching(/./)]);
      expect([path, operation.description]).toEqual([path, expect.stringMatching(/./)]);
    }
  });

  it('[DC6] has examples that satisfy the schemas beside them', () => {
    let count = 0;
    for (const [path, node] of nodesOf(plain, name)) {
      if (!isNode(node.schema) || !path.endsWith('application/json')) continue;
      const validate = ajv.compile(withBase(node.schema, name));
      for (const example of examplesOf(plain, node)) {
        expect([path, validate(example), validate.errors]).toEqual([path, true, null]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(100);
  });
});

describe('webhooks', () => {
  it('[DC6] are listed by the names that one registers for, with the types as one set', () => {
    const document: Node = JSON.parse(JSON.stringify(publicDocument(guide)));
    const webhooks = partOf(document, 'webhooks');
    expect(Object.keys(webhooks)).toEqual(webhookEventTypes);
    for (const [type, item] of Object.entries(webhooks)) {
      expect(partOf(isNode(item) ? item : {}, 'post')).toMatchObject({
        summary: type,
        security: [],
      });
    }
    const { WebhookEventType: types } = partOf(partOf(document, 'components'), 'schemas');
    expect(types).toMatchObject({ type: 'string', enum: webhookEventTypes });
  });
});

describe('messages of the socket', () => {
  it('[DC6] belong to operations that are described', () => {
    const document: Node = JSON.parse(JSON.stringify(streamDocument()));
    for (const operation of Object.values(partOf(document, 'operations'))) {
      expect(operation).toMatchObject({ description: expect.stringMatching(/./) });
    }
    expect(partOf(document, 'info').tags).toEqual([expect.objectContaining({ name: 'streams' })]);
  });
});

/** Every node but those of examples, which are no schemas. */
function* schemasIn(document: Node, name: string): Generator<readonly [string, Node]> {
  for (const [path, node] of nodesOf(document, name)) {
    if (!/\.examples?(\.|\[|$)/.test(path)) yield [path, node];
  }
}

function* operationsOf(document: Node): Generator<readonly [string, Node]> {
  for (const part of ['paths', 'webhooks']) {
    for (const [path, item] of Object.entries(partOf(document, part))) {
      for (const [method, operation] of Object.entries(isNode(item) ? item : {})) {
        if (isNode(operation)) yield [`${method} ${path}`, operation];
      }
    }
  }
}

function examplesOf(document: Node, media: Node): readonly unknown[] {
  if ('example' in media) return [media.example];
  const shared = partOf(partOf(document, 'components'), 'examples');
  return Object.keys(isNode(media.examples) ? media.examples : {}).map(
    (code) => partOf(shared, code).value,
  );
}

function withBase(schema: Node, base: string): Node {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${base}#/`));
}

function partOf(node: Node, name: string): Node {
  const part = node[name];
  return isNode(part) ? part : {};
}
