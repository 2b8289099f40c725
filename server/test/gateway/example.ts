// The contract's own example of an operation as a request.
import type { AnyOperation } from '@sibyl/contract';
import type { InjectOptions } from 'light-my-request';

export interface ExampleRequest {
  readonly method: AnyOperation['method'];
  /** With its query, without the prefix of an address. */
  readonly url: string;
  readonly payload?: InjectOptions['payload'];
  readonly data: unknown;
}

export function exampleRequest(operation: AnyOperation): ExampleRequest {
  const example: Readonly<Record<string, unknown>> = operation.example;
  const params = textsOf(example.params);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(textsOf(example.query)).toString();
  const url = search === '' ? path : `${path}?${search}`;
  const { method } = operation;
  const { data, body } = example;
  if (typeof body !== 'object' || body === null) return { method, url, data };
  return { method, url, payload: body, data };
}

function textsOf(part: unknown): Record<string, string> {
  if (typeof part !== 'object' || part === null) return {};
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, String(value)]));
}
