// The contract as OpenAPI 3.1 documents: pure functions from operations to JSON.

import type { AnyOperation } from '../src/define.ts';
import { apiVersion, responseHeaders } from '../src/envelope.ts';
import { type ErrorCode, errorCodes } from '../src/errors.ts';
import { groups } from '../src/groups.ts';
import { operations } from '../src/operations/all.ts';
import { operatorOperations } from '../src/operator.ts';
import { about } from './about.ts';
import { type Components, type Json, lift } from './openapi-component.ts';
import { codesInForce, errorExample, operationObject } from './openapi-operation.ts';
import { webhookObjects } from './openapi-webhooks.ts';

export type { Json } from './openapi-component.ts';

/** What the public port serves as /openapi.json; the guide is docs/INTERFACE.md. */
export function publicDocument(guide: string, lanes: 'both' | 'live' | 'sandbox' = 'both'): Json {
  return documentOf(Object.values(operations), {
    title: 'Sibyl',
    // The title of the document stands where the page has its own.
    description: guide.replace(/^# .*\n+/, ''),
    servers: serverObjects[lanes],
    securitySchemes: publicSchemes,
  });
}

/** The operator plane, for `sibyl admin` and its tests. */
export function operatorDocument(): Json {
  return documentOf(Object.values(operatorOperations), {
    title: 'Sibyl operator plane',
    description:
      'Every act is journaled with actor and reason. This port is open on 127.0.0.1 of the server alone, and no setting opens it elsewhere: reach it over SSH or from the machine itself.',
    servers: [{ url: 'http://localhost:8081', description: 'Operator listener' }],
    securitySchemes: operatorSchemes,
  });
}

const live: Json = { url: '/', description: 'Live: real money', 'x-environment': 'live' };
const sandbox: Json = {
  url: '/sandbox',
  description: 'Sandbox: fake money',
  'x-environment': 'sandbox',
};

/** Relative to wherever the document is served; who tries something begins in the sandbox. */
const serverObjects: Readonly<Record<'both' | 'live' | 'sandbox', readonly Json[]>> = {
  both: [sandbox, live],
  live: [live],
  // With one lane every address leads to it.
  sandbox: [{ ...sandbox, url: '/' }],
};

const publicSchemes: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (sk_…), an access token (oat_…) or a session (ses_…).',
  },
  api_key: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An API key (sk_…).' },
  session: { type: 'http', scheme: 'bearer', description: 'A session (ses_…) only.' },
};

const operatorSchemes: Json = {
  operator: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session of an operator (ops_…), or OPERATOR_TOKEN.',
  },
};

type Frame = {
  readonly title: string;
  readonly description: string;
  readonly servers: readonly Json[];
  readonly securitySchemes: Json;
};

function documentOf(list: readonly AnyOperation[], frame: Frame): Json {
  const components: Components = { schemas: new Map(), responses: new Map() };
  const paths = pathsOf(list, components);
  // The events belong to the document that has the calls to register for them.
  const webhooks = list.some(({ group }) => group === 'Webhooks')
    ? webhookObjects(components.schemas)
    : null;
  const headers = headersOf(components);
  const used = new Set(list.map((operation) => operation.group));
  return {
    openapi: '3.1.0',
    info: { title: frame.title, version: apiVersion, description: frame.description, ...about },
    servers: frame.servers,
    tags: Object.entries(groups)
      .filter(([name]) => [...used].some((group) => group === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(webhooks === null ? {} : { webhooks }),
    components: {
      schemas: Object.fromEntries([...components.schemas].sort(byName)),
      responses: Object.fromEntries([...components.responses].sort(byName)),
      headers,
      examples: Object.fromEntries(
        codesOf(list).map((code) => [code, { summary: code, value: errorExample(code) }]),
      ),
      securitySchemes: frame.securitySchemes,
    },
  };
}

function pathsOf(list: readonly AnyOperation[], components: Components): Json {
  const paths = new Map<string, Json>();
  for (const operation of list) {
    const method = operation.method.toLowerCase();
    const item = paths.get(operation.path) ?? {};
    paths.set(operation.path, { ...item, [method]: operationObject(operation, components) });
  }
  return Object.fromEntries(paths);
}

function headersOf(components: Components): Json {
  return Object.fromEntries(
    Object.entries(responseHeaders).map(([name, { description, schema, when }]) => [
      name,
      { description, required: when === 'always', schema: lift(schema, components.schemas) },
    ]),
  );
}

/** The codes that can occur in the list, in the order of the catalogue. */
function codesOf(list: readonly AnyOperation[]): readonly ErrorCode[] {
  const used = new Set(list.flatMap(codesInForce));
  return errorCodes.filter((code) => used.has(code));
}

function byName([first]: readonly [string, Json], [second]: readonly [string, Json]): number {
  return first < second ? -1 : 1;
}
