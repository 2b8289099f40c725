// The vocabulary of the contract: an operation is a plain frozen object.

import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Group } from './groups.ts';
import { limits, type RateCategory } from './limits.ts';
import type { Approval, OperatorRole } from './operator/roles.ts';
import type { Permission, Scope } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** `credential` is a key, a token or a session; `session` a person at the page; `operator` the plane of its own. */
export type Auth = 'public' | 'credential' | 'session' | 'operator';

export type Idempotency = 'none' | 'optional' | 'required';

/** The release that first serves the operation. */
export type Release = '0.2' | '0.3';

/** The three parts of a request; null means that the part is not read at all. */
export type Input = {
  readonly params: TObject | null;
  readonly query: TObject | null;
  readonly body: TObject | null;
};

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : never;

/** What a caller hands over: only the parts that the operation has. */
export type InputValues<In extends Input> = {
  readonly [Part in keyof In as In[Part] extends null ? never : Part]: StaticOf<In[Part]>;
};

type Traits = {
  /** The group and the method by which clients call it; null where no client does. */
  readonly call: `${string}.${string}` | null;
  readonly method: Method;
  readonly path: `/${string}`;
  readonly group: Group;
  readonly summary: string;
  readonly description: string;
  readonly auth: Auth;
  /** What a key needs; null where no permission is asked. */
  readonly permission: Permission | null;
  /** What an OAuth token needs; null where no token is accepted. */
  readonly scope: Scope | null;
  readonly rate: RateCategory;
  readonly idempotency: Idempotency;
  readonly readOnlyMode: 'blocked' | 'allowed';
  /** Part of the counted machine interface, or a companion such as the session calls. */
  readonly counted: boolean;
  readonly since: Release;
  /** The answer is one page of an array; the query has cursor and limit. */
  readonly list: boolean;
  readonly errors: readonly ErrorCode[];
};

type Flags = {
  readonly sandboxOnly: boolean;
  /** Early access: only credentials of the tiers in `earlyTiers` reach it, all others are told TIER_UPGRADE_REQUIRED. */
  readonly early: boolean;
  /** It moves real money: the sandbox has none. */
  readonly prodOnly: boolean;
  /** The caller sees its own email, phone and address; everywhere else they are stripped. */
  readonly selfView: boolean;
  /** `meta.fill_venue` may be present. */
  readonly revealsVenue: boolean;
  /** The answer holds secrets: a stored copy for replay must withhold them. */
  readonly bearsSecrets: boolean;
  /** The fields of `data` stand beside it as well, where clients of a standard look for them. */
  readonly standardFields: boolean;
  /** The body may be sent as a form. */
  readonly takesForms: boolean;
  /** What one call takes from its bucket. */
  readonly rateCost: 'request' | 'item';
  /** The bucket that a call may take from once its own is empty; null where there is none. */
  readonly rateReserve: RateCategory | null;
  readonly bodyBytesMax: number;
  /** The role that an operator needs; null where no operator acts. */
  readonly role: OperatorRole | null;
  /** Outside of the sandbox a session has to be confirmed shortly before. */
  readonly stepUp: boolean;
  readonly approval: Approval;
  /** About how the operator signs in: open also to one who has yet to enrol the second factor that is required. */
  readonly own: boolean;
};

export type Example<In extends Input, Data extends TSchema> = InputValues<In> & {
  readonly data: Static<Data>;
};

export type Operation<
  Id extends string = string,
  In extends Input = Input,
  Data extends TSchema = TSchema,
> = Traits &
  Flags & {
    readonly id: Id;
    readonly input: In;
    readonly data: Data;
    readonly example: Example<In, Data>;
  };

/** An operation of any shape, for code that walks all of them. */
export type AnyOperation = Traits &
  Flags & {
    readonly id: string;
    readonly input: Input;
    readonly data: TSchema;
    readonly example: { readonly data: unknown };
  };

export type InputOf<Op extends { readonly input: Input }> = InputValues<Op['input']>;
export type OutputOf<Op extends { readonly data: TSchema }> = Static<Op['data']>;

/** The input of an operation that takes none; spread it to add a part. */
export const noInput = Object.freeze({ params: null, query: null, body: null });

/** Writes that a key may send which trades. */
export const tradeWrite = {
  permission: 'trade',
  idempotency: 'optional',
  readOnlyMode: 'blocked',
  list: false,
} as const;

/** A list of what is the caller's own. */
export const ownList = {
  method: 'GET',
  rate: 'account_read',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  list: true,
} as const;

/** Any write may carry an Idempotency-Key, read or not; one that is no key is refused. */
function ofEveryWrite({ method }: Pick<Traits, 'method'>): readonly ErrorCode[] {
  return method === 'GET' ? [] : ['IDEMPOTENCY_KEY_MALFORMED'];
}

/** Of what is open to early tiers alone. */
function ofEarlyAccess({ early = false }: Partial<Flags>): readonly ErrorCode[] {
  return early ? ['TIER_UPGRADE_REQUIRED'] : [];
}

/** Not every operator may do everything, and where a second factor is required nothing before it is enrolled. */
function ofEveryRole({
  role = null,
  stepUp,
  own,
  approval = 'never',
}: Partial<Flags>): readonly ErrorCode[] {
  const isProved = stepUp === true || (role !== null && own !== true);
  return [
    ...(role === null || role === 'viewer' ? [] : (['SCOPE_MISSING'] as const)),
    ...(isProved ? (['STEP_UP_MFA_REQUIRED'] as const) : []),
    // The same waits already.
    ...(approval === 'never' ? [] : (['STATE_CONFLICT'] as const)),
  ];
}

/** Makes the frozen record of an operation; flags that are left out are the ordinary case. */
export function operation<const Id extends string, In extends Input, Data extends TSchema>(
  definition: Traits &
    Partial<Flags> & {
      readonly id: Id;
      readonly input: In;
      readonly data: Data;
      readonly example: Example<NoInfer<In>, NoInfer<Data>>;
    },
): Operation<Id, In, Data> {
  return Object.freeze({
    sandboxOnly: false,
    early: false,
    prodOnly: false,
    selfView: false,
    revealsVenue: false,
    bearsSecrets: false,
    standardFields: false,
    takesForms: false,
    rateCost: 'request',
    rateReserve: null,
    bodyBytesMax: limits.body.standardBytesMax,
    role: null,
    stepUp: false,
    approval: 'never',
    own: false,
    ...definition,
    errors: Object.freeze([
      ...new Set([
        ...definition.errors,
        ...ofEveryWrite(definition),
        ...ofEveryRole(definition),
        ...ofEarlyAccess(definition),
      ]),
    ]),
  });
}
