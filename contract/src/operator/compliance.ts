// Compliance: rules that are loaded, people tested against them, flags that wait for somebody to look.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { idOf, pathId } from '../ids.ts';
import { tiers } from '../limits.ts';
import { queryOf } from '../paging.ts';
import { epochMs, nullable, oneOf } from '../primitives.ts';
import {
  AccountCountry,
  AccountLink,
  Compliance,
  ComplianceFlag,
  ComplianceRules,
  ComplianceTest,
  country,
  exampleCompliance,
  exampleComplianceTest,
  exampleFlag,
  exampleRules,
} from '../resources/compliance.ts';
import { closed, operatorReadErrors, plane, promptErrors, reason } from './plane.ts';

/** Lists of names are long. */
const RULES_BYTES_MAX = 8 * 1024 * 1024;

export const loadCompliance = operation({
  ...plane,
  id: 'loadCompliance',
  role: 'admin',
  stepUp: true,
  method: 'POST',
  path: '/admin/v1/compliance',
  summary: 'Load rules of compliance',
  description:
    'Replaces all rules, at once and in both lanes; the journal of each lane notes their version and hash. Without a rule nothing is blocked. Loading the rules that are in force changes nothing.',
  idempotency: 'optional',
  bodyBytesMax: RULES_BYTES_MAX,
  input: {
    ...noInput,
    body: Type.Object({ reason, rules: ComplianceRules }, { title: 'ComplianceInput', ...closed }),
  },
  data: Compliance,
  errors: [...promptErrors],
  example: { body: { reason: 'list of November', rules: exampleRules }, data: exampleCompliance },
});

export const getCompliance = operation({
  ...plane,
  id: 'getCompliance',
  role: 'viewer',
  method: 'GET',
  path: '/admin/v1/compliance',
  summary: 'Rules of compliance',
  description: 'The rules in force, with who loaded them and why.',
  idempotency: 'none',
  input: noInput,
  data: Compliance,
  errors: [...operatorReadErrors],
  example: { data: exampleCompliance },
});

export const testCompliance = operation({
  ...plane,
  id: 'testCompliance',
  role: 'support',
  method: 'POST',
  path: '/admin/v1/compliance/test',
  summary: 'Test a person',
  description:
    'What the rules in force would restrict a person in; changes nothing. Of an account, what is known of its user counts where nothing else is told.',
  idempotency: 'none',
  input: {
    ...noInput,
    body: Type.Object(
      {
        reason,
        account_id: Type.Optional(idOf('account')),
        name: Type.Optional(Type.String({ maxLength: 254 })),
        email: Type.Optional(Type.String({ maxLength: 254 })),
        wallet: Type.Optional(Type.String({ maxLength: 254 })),
        country: Type.Optional(country),
        tier: Type.Optional(oneOf(tiers)),
      },
      { title: 'PersonInput', ...closed },
    ),
  },
  data: ComplianceTest,
  errors: [...operatorReadErrors, 'NOT_FOUND'],
  example: { body: { reason: 'asked by support', country: 'AQ' }, data: exampleComplianceTest },
});

export const listComplianceFlags = operation({
  ...plane,
  id: 'listComplianceFlags',
  role: 'viewer',
  method: 'GET',
  path: '/admin/v1/compliance/flags',
  summary: 'Flags',
  description: 'What rules against abuse have found, newest first, at most 500.',
  idempotency: 'none',
  input: {
    ...noInput,
    query: queryOf({
      status: Type.Optional(oneOf(['open', 'cleared', 'all'], { default: 'open' })),
      before_ms: Type.Optional(epochMs('Only those raised before.')),
    }),
  },
  data: Type.Object({ flags: Type.Array(ComplianceFlag) }, { title: 'ComplianceFlags' }),
  errors: [...operatorReadErrors],
  example: { query: {}, data: { flags: [exampleFlag] } },
});

export const clearComplianceFlag = operation({
  ...plane,
  id: 'clearComplianceFlag',
  stepUp: true,
  role: 'support',
  method: 'POST',
  path: '/admin/v1/compliance/flags/{flag_id}/clear',
  summary: 'Clear a flag',
  description: 'Whoever was blocked by it may trade again at once. The first clearing stands.',
  idempotency: 'optional',
  input: {
    params: Type.Object({ flag_id: pathId('flag', 'The flag.') }),
    query: null,
    body: Type.Object({ reason }, { title: 'ClearInput', ...closed }),
  },
  data: ComplianceFlag,
  errors: [...promptErrors, ...identified],
  example: {
    params: { flag_id: exampleFlag.flag_id },
    body: { reason: 'a market maker and its hedge' },
    data: {
      ...exampleFlag,
      cleared_at: exampleFlag.raised_at,
      cleared_at_ms: exampleFlag.raised_at_ms,
      cleared_by: 'operator',
      clear_reason: 'a market maker and its hedge',
    },
  },
});

export const linkAccounts = operation({
  ...plane,
  id: 'linkAccounts',
  stepUp: true,
  role: 'support',
  method: 'POST',
  path: '/admin/v1/compliance/links',
  summary: 'Link accounts',
  description: 'Says that two users belong together, or no longer; trades between them count.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object(
      {
        reason,
        account_id: idOf('account'),
        other_account_id: idOf('account'),
        linked: Type.Boolean(),
      },
      { title: 'LinkInput', ...closed },
    ),
  },
  data: AccountLink,
  errors: [...promptErrors, 'NOT_FOUND'],
  example: {
    body: {
      reason: 'same bank account',
      account_id: 'acc_01J0000000000004',
      other_account_id: 'acc_01J0000000000006',
      linked: true,
    },
    data: {
      account_id: 'acc_01J0000000000004',
      other_account_id: 'acc_01J0000000000006',
      linked: true,
    },
  },
});

export const setAccountCountry = operation({
  ...plane,
  id: 'setAccountCountry',
  stepUp: true,
  role: 'support',
  method: 'POST',
  path: '/admin/v1/accounts/{account_id}/country',
  summary: 'Country of a user',
  description:
    'Sets the country of a user, who then cannot change it himself, or takes it away, so that he declares it again; the rules hold at once.',
  idempotency: 'optional',
  input: {
    params: Type.Object({ account_id: pathId('account', 'An account of the user.') }),
    query: null,
    body: Type.Object({ reason, country: nullable(country) }, { title: 'CountryInput', ...closed }),
  },
  data: AccountCountry,
  errors: [...promptErrors, ...identified],
  example: {
    params: { account_id: 'acc_01J0000000000004' },
    body: { reason: 'passport seen', country: 'PT' },
    data: { account_id: 'acc_01J0000000000004', user_id: 'usr_01J0000000000005', country: 'PT' },
  },
});
