// Kinds of ids: each has its own prefix, so a wrong kind can be told from a wrong id.

import { type TString, Type } from 'typebox';
import { lineCharacter } from './plain-text.ts';

const tail = '[0-9A-Za-z]{1,40}';

/** Every prefix of the interface, also of groups that are not built yet. */
export const idKinds = Object.freeze({
  market: {
    prefix: 'm_',
    pattern: '^m_[a-f0-9]{12,16}$',
    expected: 'm_ and 12 to 16 digits of 0-9 and a-f',
  },
  account: kind('acc_'),
  user: kind('usr_'),
  subaccount: kind('sub_'),
  order: kind('ord_'),
  trade: kind('trd_'),
  key: {
    prefix: 'sk_',
    pattern: '^sk_(live|test)_[0-9A-Za-z]{16}(_[0-9A-Za-z_-]{43})?$',
    expected: 'sk_live_ or sk_test_ and 16 letters or digits, or the whole key',
  },
  app: kind('app_'),
  grant: kind('grt_'),
  proposal: kind('prp_'),
  rfq: kind('rfq_'),
  quote: kind('qt_'),
  webhook: kind('wh_'),
  delivery: kind('dlv_'),
  resolution: kind('res_'),
  dispute: kind('dsp_'),
  withdrawal: kind('wd_'),
  deposit: kind('dep_'),
  destination: kind('dst_'),
  conversion: kind('cnv_'),
  transfer: kind('trf_'),
  ledger_entry: kind('le_'),
  checkpoint: kind('cp_'),
  request: kind('req_'),
  operator: kind('opr_'),
  approval: kind('apr_'),
  operator_session: kind('ops_'),
  passkey: kind('pk_'),
  session: kind('ses_'),
  flag: kind('flg_'),
});
export type IdKind = keyof typeof idKinds;

/** The id of a record in an answer or a body. */
export function idOf(of: IdKind, description?: string): TString {
  const note = description === undefined ? {} : { description };
  const { pattern, expected } = idKinds[of];
  return Type.String({ pattern, 'x-expected': expected, ...note });
}

/** An account or one of its subaccounts. */
export function accountName(description?: string): TString {
  const note = description === undefined ? {} : { description };
  return Type.String({
    pattern: `^(acc|sub)_${tail}$`,
    'x-expected': 'an account_id or a subaccount_id',
    ...note,
  });
}

/** A holder of shares: an account, or the house of the sandbox. */
export function holderName(description: string): TString {
  return Type.String({
    pattern: `^((acc|sub)_${tail}|sandbox:house)$`,
    'x-expected': 'an account_id, a subaccount_id or sandbox:house',
    description,
  });
}

/** Names one of the caller's subaccounts where a request is not about the caller's own account. */
export const subaccountId = Type.Optional(
  idOf('subaccount', 'One of your subaccounts; your own account unless told.'),
);

/** Names an account that has let the caller act for it. */
export const onBehalfOf = Type.Optional(
  accountName(
    'The account that has delegated to you, for keys with the scope delegation:trade; your own unless told.',
  ),
);

/**
 * An id in a path. The gateway reads `x-id-kind` and answers ID_MALFORMED, ID_INVALID_KIND or
 * NOT_FOUND by itself; the pattern is there for readers of the document.
 */
export function pathId(of: IdKind, description: string): TString {
  const { pattern, expected } = idKinds[of];
  return Type.String({ pattern, description, 'x-expected': expected, 'x-id-kind': of });
}

/** The same of an account or one of its subaccounts. */
export function pathAccountName(description: string): TString {
  return Type.String({
    ...accountName(description),
    'x-id-kind': ['account', 'subaccount'] satisfies IdKind[],
  });
}

/** `ord_…` or `coid:` and the client's own id, so a placement that timed out can be looked up. */
export const orderReference = Type.String({
  pattern: `^(ord_${tail}|coid:${lineCharacter}{1,64})$`,
  'x-expected': 'an order_id, or coid: and your client_order_id',
  description: 'order_id, or coid: followed by the client_order_id.',
  'x-id-kind': 'order',
});

export const outcomeId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9_-]+$',
  'x-expected': 'the id of an outcome of the market, such as yes',
  description: 'Outcome of the market, such as yes.',
});

/** What the id of a template looks like in an answer; unknown ones are MARKET_TEMPLATE_UNKNOWN. */
export const templateId = Type.String({ minLength: 1, maxLength: 128 });

interface Kind {
  readonly prefix: string;
  readonly pattern: string;
  /** The same in words. */
  readonly expected: string;
}

function kind(prefix: string): Kind {
  const expected = `${prefix} and up to 40 letters or digits`;
  return Object.freeze({ prefix, pattern: `^${prefix}${tail}$`, expected });
}
