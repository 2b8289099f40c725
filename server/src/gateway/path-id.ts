// Ids in paths: no id at all, the id of something else, or one worth looking up.
import { type IdKind, idKinds, lineCharacter } from '@sibyl/contract';
import { type ApiError, fail } from '../handling/handler.ts';

type IdCheck = (params: unknown) => ApiError | null;

const patterns = new Map<IdKind, RegExp>();
for (const kind of kindNames()) patterns.set(kind, new RegExp(idKinds[kind].pattern));

/** The client's own name for an order, which may stand where its id may. */
const CLIENT_ORDER_ID = new RegExp(`^coid:${lineCharacter}{1,64}$`, 'u');

/** The check of all parameters that the schema marks with `x-id-kind`; null if there are none. */
export function idCheck(schema: object): IdCheck | null {
  const marked = markedParameters(schema);
  if (marked.length === 0) return null;
  return (params) => {
    const values = new Map<string, unknown>(Object.entries(params ?? {}));
    for (const [parameter, kind] of marked) {
      const error = checkId(parameter, kind, String(values.get(parameter)));
      if (error !== null) return error;
    }
    return null;
  };
}

function checkId(parameter: string, kind: IdKind, value: string): ApiError | null {
  if (patterns.get(kind)?.test(value) === true) return null;
  if (kind === 'order' && CLIENT_ORDER_ID.test(value)) return null;
  const details = { parameter, expected: idKinds[kind].expected };
  for (const [other, pattern] of patterns) {
    if (other !== kind && pattern.test(value)) return fail('ID_INVALID_KIND', details);
  }
  return fail('ID_MALFORMED', details);
}

function markedParameters(schema: object): readonly (readonly [string, IdKind])[] {
  const properties: unknown = 'properties' in schema ? schema.properties : {};
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const mark: unknown = property['x-id-kind'];
    const kind = kindNames().find((known) => known === mark);
    return kind === undefined ? [] : [[name, kind] as const];
  });
}

function kindNames(): readonly IdKind[] {
  return Object.keys(idKinds).filter((name): name is IdKind => Object.hasOwn(idKinds, name));
}
