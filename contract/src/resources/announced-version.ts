// What every version of a limit that operators set has, beside the limit itself: when it was announced, from when on it holds, and whose it is.

import { type TProperties, Type } from 'typebox';
import { instant } from '../primitives.ts';

/** `counted` says over what versions are counted. */
export function announcedVersion<const Own extends TProperties>(
  title: string,
  counted: string,
  own: Own,
) {
  return Type.Object(
    {
      version: Type.Integer({ minimum: 2, description: counted }),
      ...own,
      ...instant('announced_at', 'When it was set.'),
      ...instant('effective_at', 'From when on it holds.'),
      actor: Type.String(),
      reason: Type.String(),
    },
    { title },
  );
}
