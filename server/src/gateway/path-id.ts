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
    for (const [parameter, kinds] of marked) {
      const error = checkId(parameter, kinds, String(values.get(parameter)));
      if (error !== null) return error;
    }
    return null;
  };
}

function checkId(parameter: string, kinds: readonly IdKind[], value: string): ApiError | null {
  if (kinds.some((kind) => patterns.get(kind)?.test(value) === true)) return null;
  if (kinds.includes('order') && CLIENT_ORDER_ID.test(value)) return null;
  const expected = kinds.map((kind) => idKinds[kind].expected).join(', or ');
  const details = { parameter, expected };
  for (const pattern of patterns.values()) {
    if (pattern.test(value)) return fail('ID_INVALID_KIND', details);
  }
  return fail('ID_MALFORMED', details);
}

/** Most are of one kind; some may be of either of two. */
function markedParameters(schema: object): readonly (readonly [string, readonly IdKind[]])[] {
  const properties: unknown = 'properties' in schema ? schema.properties : {};
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const marks: readonly unknown[] = [property['x-id-kind']].flat();
    const kinds = kindNames().filter((known) => marks.includes(known));
    return kinds.length === 0 ? [] : [[name, kinds] as const];
  });
}

function kindNames(): readonly IdKind[] {
  return Object.keys(idKinds).filter((name): name is IdKind => Object.hasOwn(idKinds, name));
}
