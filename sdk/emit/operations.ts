// Turns the contract's operations into the client's table of calls and its typed groups.

import { type AnyOperation, type OperationId, operations } from '@sibyl/contract';

const header = `// Generated from the contract by sdk/emit/main.ts; edit the contract instead.

import type { Answer, Body, Item, Query } from '../types.ts';
import type { CallOptions } from '../options.ts';
import type { Listing } from '../listing.ts';
`;

/** Repeating these is harmless although they carry no key: they set a state instead of adding to one. */
const repeatableWithoutKey: ReadonlySet<string> = new Set(['heartbeat', 'resumeSession']);

export function operationsModule(): string {
  return [header, table(), groupInterfaces(), groupMap()].join('\n');
}

function table(): string {
  const lines = entries().map(([id, operation]) => {
    const [group, method] = callName(operation);
    const fields = {
      group,
      name: method,
      method: operation.method,
      path: operation.path,
      body: operation.input.body !== null,
      query: operation.input.query !== null,
      list: operation.list,
      keyed: operation.idempotency !== 'none',
      repeatable: isRepeatable(operation),
      subaccount: subaccountIn(operation),
    };
    const text = Object.entries(fields).map(([key, value]) => `${key}: ${literal(value)}`);
    return `  ${id}: { ${text.join(', ')} },`;
  });
  return `/** What the client must know of each operation to call it. */
export const operations = {
${lines.join('\n')}
} as const;
`;
}

/** Where a call says which subaccount it is about, if it can be about one. */
function subaccountIn(operation: AnyOperation): 'body' | 'query' | 'none' {
  const { body, query } = operation.input;
  // A key or a grant is bound to one for good, which nobody asks for by the way.
  if (operation.id === 'mintKey' || operation.id === 'createGrant') return 'none';
  if (body !== null && 'subaccount_id' in body.properties) return 'body';
  return query !== null && 'subaccount_id' in query.properties ? 'query' : 'none';
}

function isRepeatable(operation: AnyOperation): boolean {
  if (operation.method === 'GET' || operation.method === 'DELETE') return true;
  return operation.idempotency !== 'none' || repeatableWithoutKey.has(operation.id);
}

function groupInterfaces(): string {
  return groupNames()
    .map((group) => {
      const members = entries().filter(([, operation]) => callName(operation)[0] === group);
      return `export interface ${interfaceName(group)} {\n${members.map(member).join('\n')}\n}\n`;
    })
    .join('\n');
}

function member([id, operation]: readonly [OperationId, AnyOperation]): string {
  const parameters = [
    ...pathParameters(operation.path).map((name) => `${camelCase(name)}: string`),
    ...(operation.input.body === null ? [] : [`body: Body<'${id}'>`]),
    ...queryParameter(id, operation),
    'options?: CallOptions',
  ];
  const result = operation.list ? `Listing<Item<'${id}'>>` : `Promise<Answer<'${id}'>>`;
  const note = `${operation.summary}. ${operation.description}`;
  return `  /** ${note} */\n  ${callName(operation)[1]}(${parameters.join(', ')}): ${result};`;
}

function queryParameter(id: OperationId, operation: AnyOperation): readonly string[] {
  const { query } = operation.input;
  if (query === null) return [];
  const isNeeded = (query.required ?? []).length > 0;
  return [`query${isNeeded ? '' : '?'}: Query<'${id}'>`];
}

function groupMap(): string {
  const lines = groupNames().map((group) => `  readonly ${group}: ${interfaceName(group)};`);
  return `/** Every group of calls, as the client carries them. */
export interface Calls {
${lines.join('\n')}
}
`;
}

function groupNames(): readonly string[] {
  return [...new Set(entries().map(([, operation]) => callName(operation)[0]))];
}

function entries(): readonly (readonly [OperationId, AnyOperation])[] {
  return Object.values(operations).map((operation) => [operation.id, operation] as const);
}

/** What a caller types. */
function callName({ id, call }: AnyOperation): readonly [group: string, method: string] {
  const [group, method] = call?.split('.') ?? [];
  if (group === undefined || method === undefined) throw new Error(`${id} has no name to call`);
  return [group, method];
}

function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1] ?? '');
}

function interfaceName(group: string): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}Calls`;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function literal(value: string | boolean): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
