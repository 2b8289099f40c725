// Query parameters: closed objects, and the cursor and limit that every list takes.

import { type TObject, type TProperties, Type } from 'typebox';
import { limits } from './limits.ts';

const { limitMin, limitMax, limitDefault, cursorLengthMax } = limits.page;

const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: cursorLengthMax,
    description: 'Opaque; meta.next_cursor of the page before.',
  }),
);
const limit = Type.Optional(
  Type.Integer({
    minimum: limitMin,
    maximum: limitMax,
    default: limitDefault,
    description: 'Entries per page.',
  }),
);

/** Of lists that the specification gives no cursor: they come whole unless a part is asked for. */
const optionalLimit = Type.Optional(
  Type.Integer({
    minimum: limitMin,
    maximum: limitMax,
    description: `Entries per page. Without it all come at once; behind a cursor, ${limitDefault}.`,
  }),
);

/** The query of an operation; an unknown parameter is refused rather than ignored. */
export function queryOf<Properties extends TProperties>(
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}

/** The query of a list: its own filters, then cursor and limit. */
export function pageQuery<Properties extends TProperties>(
  properties: Properties,
): TObject<Properties & { cursor: typeof cursor; limit: typeof limit }> {
  return Type.Object({ ...properties, cursor, limit }, { additionalProperties: false });
}

/** The same for a list that comes whole when nothing is said of pages. */
export function wholeQuery<Properties extends TProperties>(
  properties: Properties,
): TObject<Properties & { cursor: typeof cursor; limit: typeof optionalLimit }> {
  return Type.Object(
    { ...properties, cursor, limit: optionalLimit },
    { additionalProperties: false },
  );
}

/** `?dry_run=true` validates and prices, and books nothing. */
export const dryRun = Type.Optional(
  Type.Boolean({ default: false, description: 'Validate and price, but book nothing.' }),
);
