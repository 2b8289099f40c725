// What all operations of the operator plane share: where, why, and the codes of the plane.

import { Type } from 'typebox';
import { identified, replayable, unstoppable } from '../bundles.ts';
import { oneOf } from '../primitives.ts';
import { environments } from '../resources/api-key.ts';

export const closed = { additionalProperties: false };
export const lane = oneOf(environments, { description: 'The lane it acts on.' });

/** Why; who acts is whoever is signed in. */
export const reason = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: '^\\s*\\S\\s*\\S\\s*\\S',
  'x-expected': 'at least 3 characters that can be seen',
  description: 'For operators alone; kept in the journal.',
});

/** What everyone reads of an act; optional. */
export const message = messageFor(
  'Shown to everyone: by health, the status page and sockets.',
  'Standard words without it.',
);
/** What the owner of the account, key or withdrawal reads of an act; optional. */
export const ownerMessage = messageFor(
  'Shown to the owner: by REST, the pages, sockets and webhooks.',
  'They show a code, or null, without it.',
);

function messageFor(readers: string, without: string) {
  return Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      'x-expected': 'text that can be seen',
      description: `${readers} ${without}`,
    }),
  );
}

/** Every act says where and why; the journal keeps both, and who acted. */
export const act = { lane, reason };
export const exampleAct = { lane: 'sandbox', reason: 'ticket 4711' } as const;
export const ActInput = Type.Object(act, { title: 'ActInput', ...closed });
export const OwnerActInput = Type.Object(
  { ...act, message: ownerMessage },
  { title: 'OwnerActInput', ...closed },
);

export const plane = {
  call: null,
  group: 'Operator',
  auth: 'operator',
  permission: null,
  scope: null,
  rate: 'account_write',
  readOnlyMode: 'allowed',
  counted: false,
  since: '0.2',
  list: false,
} as const;

/** What only looks. */
export const looking = {
  ...plane,
  role: 'viewer',
  method: 'GET',
  rate: 'account_read',
  idempotency: 'none',
} as const;

export const operatorReadErrors = [...unstoppable, 'AUTH_REQUIRED', 'AUTH_INVALID'] as const;
export const operatorErrors = [...operatorReadErrors, ...replayable] as const;

/** Money booked on an account, once for each reference that it has outside. */
export const bookingErrors = [
  ...operatorErrors,
  'IDEMPOTENCY_KEY_MISSING',
  ...identified,
  'ALREADY_EXISTS',
] as const;

/** Acts that wait for nothing: no second request can come while one is under way. */
export const promptErrors = [
  ...operatorReadErrors,
  'IDEMPOTENCY_KEY_MALFORMED',
  'IDEMPOTENCY_BODY_MISMATCH',
] as const;
