// Rules of compliance as the operator loads them, what they restrict, and what was flagged by them.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { tiers } from '../limits.ts';
import {
  instant,
  moneyInput,
  nullable,
  nullableInstant,
  oneOf,
  openObject,
} from '../primitives.ts';
import { environments } from './api-key.ts';

/** Groups of operations that a rule can name. Cancels and reads are in none: they are never blocked. */
export const complianceGroups = [
  'trade',
  'create_market',
  'withdraw',
  'register',
  'sandbox_keys',
] as const;
export type ComplianceGroup = (typeof complianceGroups)[number];

/** What would end a restriction. */
export const liftedBy = [
  'permission',
  'declared_country',
  'tier_upgrade',
  'operator',
  'owner',
  'time',
  'nothing',
] as const;
export type LiftedBy = (typeof liftedBy)[number];

const closed = { additionalProperties: false };
const ruleId = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  'x-expected': 'up to 64 of a-z, 0-9, _ and -',
  description: 'Shown to callers that the rule refuses.',
});
export const country = Type.String({
  pattern: '^[A-Z]{2}$',
  'x-expected': 'two capital letters of ISO 3166, such as PT',
  description: 'ISO 3166-1 alpha-2.',
});
const lanes = Type.Optional(
  Type.Array(oneOf(environments), { minItems: 1, description: 'The live lane unless told.' }),
);
const operations = Type.Optional(
  Type.Array(oneOf(complianceGroups), { minItems: 1, description: 'All of them unless told.' }),
);
const texts = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { maxItems: 200_000, description }),
  );

const JurisdictionRule = Type.Object(
  {
    id: ruleId,
    countries: Type.Array(country, { minItems: 1, maxItems: 300 }),
    lanes,
    operations,
  },
  { title: 'JurisdictionRule', ...closed },
);

const SanctionsList = Type.Object(
  {
    id: ruleId,
    names: texts('Every word of the name, in any order, after folding.'),
    emails: texts('Without regard to case.'),
    wallets: texts('Without regard to case.'),
    countries: Type.Optional(Type.Array(country, { maxItems: 300 })),
    lanes,
  },
  { title: 'SanctionsList', ...closed },
);

const GateRule = Type.Object(
  {
    id: ruleId,
    operations,
    lanes,
    country: Type.Optional(Type.Boolean({ description: 'A country has to be declared.' })),
    tier_min: Type.Optional(oneOf(tiers, { description: 'Of the key; of the user for sessions.' })),
  },
  { title: 'GateRule', ...closed },
);

const AntiAbuseRules = Type.Object(
  {
    sign_ups: Type.Optional(
      Type.Object(
        {
          id: ruleId,
          per_address: Type.Integer({ minimum: 1, maximum: 10_000 }),
          window_minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
        },
        { title: 'SignUpRule', ...closed },
      ),
    ),
    faucet: Type.Optional(
      Type.Object(
        { id: ruleId, accounts_per_address: Type.Integer({ minimum: 1, maximum: 10_000 }) },
        { title: 'FaucetRule', ...closed },
      ),
    ),
    wash_trading: Type.Optional(
      Type.Object(
        {
          id: ruleId,
          window_hours: Type.Integer({ minimum: 1, maximum: 168 }),
          share_percent: Type.Integer({
            minimum: 1,
            maximum: 100,
            description: 'Of the volume of the account, with accounts linked to it.',
          }),
          volume_min: moneyInput('Below this nobody is flagged.'),
          blocks: Type.Boolean({ description: 'Whether who is flagged may trade on.' }),
        },
        { title: 'WashTradingRule', ...closed },
      ),
    ),
  },
  { title: 'AntiAbuseRules', ...closed },
);

export const ComplianceRules = Type.Object(
  {
    jurisdictions: Type.Optional(Type.Array(JurisdictionRule, { maxItems: 500 })),
    sanctions: Type.Optional(Type.Array(SanctionsList, { maxItems: 100 })),
    gates: Type.Optional(Type.Array(GateRule, { maxItems: 100 })),
    anti_abuse: Type.Optional(AntiAbuseRules),
  },
  { title: 'ComplianceRules', ...closed },
);
export type ComplianceRules = Static<typeof ComplianceRules>;

export const Restriction = Type.Object(
  {
    code: Type.String({ description: 'What the operations are refused with.' }),
    operations: Type.Array(oneOf(complianceGroups)),
    rule_id: nullable(Type.String(), 'The rule of compliance; null for anything else.'),
    reason: nullable(Type.String(), 'In words; null where the code says it all.'),
    lifted_by: oneOf(liftedBy, { description: 'What would end it.' }),
    until_ms: nullable(Type.Integer({ format: 'int64' }), 'When it ends by itself.'),
  },
  { title: 'Restriction' },
);
export type Restriction = Static<typeof Restriction>;

/** The rules with everything that proves which they are. */
export const Compliance = Type.Object(
  {
    version: Type.Integer({ minimum: 0, description: '0 before any were loaded.' }),
    hash: Type.String({ description: 'SHA-256 of the rules; the journals of the lanes have it.' }),
    actor: nullable(Type.String()),
    reason: nullable(Type.String()),
    ...nullableInstant('loaded_at', 'When they were loaded.'),
    rules: openObject('The rules as they were loaded.'),
  },
  { title: 'Compliance' },
);
export type Compliance = Static<typeof Compliance>;

const LaneRestrictions = Type.Object(
  { lane: oneOf(environments), restrictions: Type.Array(Restriction) },
  { title: 'LaneRestrictions' },
);

export const ComplianceTest = Type.Object(
  { version: Type.Integer({ minimum: 0 }), lanes: Type.Array(LaneRestrictions) },
  { title: 'ComplianceTest' },
);
export type ComplianceTest = Static<typeof ComplianceTest>;

const flagKinds = ['wash_trading', 'sign_ups', 'faucet'] as const;

export const ComplianceFlag = Type.Object(
  {
    flag_id: idOf('flag'),
    kind: oneOf(flagKinds),
    rule_id: Type.String(),
    user_id: nullable(idOf('user'), 'Null where an address was flagged.'),
    detail: Type.String({ description: 'What was found, in words.' }),
    blocks: Type.Boolean({ description: 'Whether trading is refused until it is cleared.' }),
    ...instant('raised_at', 'When it was raised.'),
    ...nullableInstant('cleared_at', 'When an operator cleared it.'),
    cleared_by: nullable(Type.String()),
    clear_reason: nullable(Type.String()),
  },
  { title: 'ComplianceFlag' },
);
export type ComplianceFlag = Static<typeof ComplianceFlag>;

export const AccountLink = Type.Object(
  { account_id: idOf('account'), other_account_id: idOf('account'), linked: Type.Boolean() },
  { title: 'AccountLink' },
);

export const AccountCountry = Type.Object(
  {
    account_id: idOf('account'),
    user_id: idOf('user'),
    country: nullable(country, 'Null if none is declared.'),
  },
  { title: 'AccountCountry' },
);

const at = '2026-11-14T12:00:00.000Z';
const atMs = 1_794_657_600_000;

export const exampleRules: ComplianceRules = {
  jurisdictions: [{ id: 'not-offered', countries: ['AQ', 'BV'], operations: ['trade'] }],
  sanctions: [{ id: 'list-2026', names: ['Erika Mustermann'], wallets: [] }],
  gates: [
    { id: 'trade-needs-country', operations: ['trade'], country: true },
    { id: 'withdraw-needs-tier', operations: ['withdraw'], tier_min: 'trade_capped' },
  ],
  anti_abuse: { sign_ups: { id: 'sign-ups', per_address: 20, window_minutes: 60 } },
};

export const exampleCompliance: Compliance = {
  version: 1,
  hash: '4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865',
  actor: 'operator',
  reason: 'list of November',
  loaded_at: at,
  loaded_at_ms: atMs,
  rules: exampleRules,
};

export const exampleComplianceTest: ComplianceTest = {
  version: 1,
  lanes: [
    {
      lane: 'live',
      restrictions: [
        {
          code: 'JURISDICTION_BLOCKED',
          operations: ['trade'],
          rule_id: 'not-offered',
          reason: 'This is not offered to residents of AQ.',
          lifted_by: 'operator',
          until_ms: null,
        },
      ],
    },
    { lane: 'sandbox', restrictions: [] },
  ],
};

export const exampleFlag: ComplianceFlag = {
  flag_id: 'flg_01J0000000000009',
  kind: 'wash_trading',
  rule_id: 'wash',
  user_id: 'usr_01J0000000000005',
  detail: '80 % of 1200.000000 USDT in 24 h were traded with linked accounts.',
  blocks: true,
  raised_at: at,
  raised_at_ms: atMs,
  cleared_at: null,
  cleared_at_ms: null,
  cleared_by: null,
  clear_reason: null,
};
