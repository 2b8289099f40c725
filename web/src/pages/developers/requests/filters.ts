// What the log is narrowed down to. It stands in the address, so that a view can be kept and sent to somebody.
import type { Query } from '@sibyl/sdk';
import { lane } from '../../../lane.ts';

export const statusClasses = ['2xx', '4xx', '5xx'] as const;
export const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
export const spans = ['hour', 'day'] as const;

export interface Filters {
  readonly status?: (typeof statusClasses)[number];
  readonly method?: (typeof methods)[number];
  readonly span?: (typeof spans)[number];
  readonly code?: string;
  readonly path?: string;
  readonly key?: string;
}

const spanMs = { hour: 3_600_000, day: 86_400_000 } as const;
const TEXT_MAX = 64;

/** The filters in an address; what is none is left out. */
export function filtersOf(search: Readonly<Record<string, unknown>>): Filters {
  const status = oneOf(statusClasses, search.status);
  const method = oneOf(methods, search.method);
  const span = oneOf(spans, search.span);
  const [code, path, key] = [textOf(search.code), textOf(search.path), textOf(search.key)];
  return {
    ...(status !== null && { status }),
    ...(method !== null && { method }),
    ...(span !== null && { span }),
    ...(code !== null && { code }),
    ...(path !== null && { path }),
    ...(key !== null && { key }),
  };
}

/** The question to the exchange. */
export function queryOf({ span, ...rest }: Filters, nowMs: number): Query<'listRequests'> {
  return {
    ...rest,
    environment: lane,
    ...(span !== undefined && { from_ms: nowMs - spanMs[span] }),
  };
}

function oneOf<const Words extends readonly string[]>(
  words: Words,
  value: unknown,
): Words[number] | null {
  return words.find((word) => word === value) ?? null;
}

function textOf(value: unknown): string | null {
  // A path such as /v1/1 would come as a number.
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? null : text.slice(0, TEXT_MAX);
}
