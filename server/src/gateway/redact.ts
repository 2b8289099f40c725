// Personal data: stripped from every answer but those in which a caller sees itself.
import type { AnyOperation } from '@sibyl/contract';
import { holdsPersonal, isPersonal, withoutPersonal } from '../wire/personal.ts';

export interface Redacted {
  readonly data: unknown;
  readonly isStripped: boolean;
}

export type Redactor = (data: unknown) => Redacted;

/**
 * Null where no answer of the operation can hold personal data. Otherwise only the places that could
 * are looked at, and nothing is copied unless something is found, so that hot answers stay cheap.
 */
export function redactorOf(operation: Pick<AnyOperation, 'selfView' | 'data'>): Redactor | null {
  if (operation.selfView) return null;
  const plan = planOf(operation.data);
  if (plan === null) return null;
  return (data) => {
    if (!hasPersonal(plan, data)) return { data, isStripped: false };
    return { data: withoutPersonal(data), isStripped: true };
  };
}

/** Where personal data may stand: anywhere below, in each element, or below named fields. */
type Plan =
  | { readonly kind: 'anywhere' }
  | { readonly kind: 'elements'; readonly plan: Plan }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [string, Plan])[] };

const ANYWHERE: Plan = { kind: 'anywhere' };

function planOf(schema: unknown): Plan | null {
  if (typeof schema !== 'object' || schema === null) return null;
  const node = new Map<string, unknown>(Object.entries(schema));
  if (node.get('additionalProperties') === true) return ANYWHERE;
  const nullable = branchBesideNull(node.get('anyOf'));
  if (nullable !== null) return planOf(nullable);
  if (['anyOf', 'oneOf', 'allOf'].some((word) => isPlanned(node.get(word)))) return ANYWHERE;
  const elements = planOf(node.get('items'));
  if (elements !== null) return { kind: 'elements', plan: elements };
  const fields = Object.entries(node.get('properties') ?? {}).flatMap(([name, child]) => {
    const plan = isPersonal(name) ? ANYWHERE : planOf(child);
    return plan === null ? [] : [[name, plan] as const];
  });
  return fields.length === 0 ? null : { kind: 'fields', fields };
}

/** What may be null is looked at as if it could not: in null there is nothing to find. */
function branchBesideNull(branches: unknown): unknown {
  if (!Array.isArray(branches) || branches.length !== 2) return null;
  const [branch, other]: unknown[] = branches;
  const isNull = typeof other === 'object' && other !== null && 'type' in other;
  return isNull && other.type === 'null' ? branch : null;
}

function isPlanned(branches: unknown): boolean {
  return Array.isArray(branches) && branches.some((branch) => planOf(branch) !== null);
}

function hasPersonal(plan: Plan, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (plan.kind === 'anywhere') return holdsPersonal(value);
  if (plan.kind === 'elements') {
    return Array.isArray(value) && value.some((element) => hasPersonal(plan.plan, element));
  }
  const record = value as Readonly<Record<string, unknown>>;
  return plan.fields.some(
    ([name, below]) =>
      (isPersonal(name) && record[name] !== undefined) || hasPersonal(below, record[name]),
  );
}
