// Compliance by the operator: rules loaded and tested, flags listed and cleared, accounts linked, countries set.

import type {
  Compliance,
  ComplianceFlag,
  InputOf,
  OperatorOperations,
  OutputOf,
  Restriction as WireRestriction,
} from '@sibyl/contract';
import { personOf, tierOf } from '../compliance/office.ts';
import { type ApiError, actingOperator, fail, type Reply } from '../handling/handler.ts';
import type { Restriction } from '../handling/restriction.ts';
import type { FlagRecord } from '../ports/compliance.ts';
import { isoTime, isoTimeOrNull } from '../wire/times.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type Acts =
  | 'loadCompliance'
  | 'getCompliance'
  | 'testCompliance'
  | 'listComplianceFlags'
  | 'clearComplianceFlag'
  | 'linkAccounts'
  | 'setAccountCountry';

export function complianceActs(parts: OperatorParts): Pick<OperatorHandlers, Acts> {
  return {
    loadCompliance: (request, { body }) =>
      actOnce(parts, request, async () => {
        const actor = actingOperator(request).operatorId;
        const { reason, rules } = body;
        await parts.office.load(rules, { actor, reason, requestId: request.requestId });
        return { data: complianceView(parts) };
      }),
    getCompliance: () => ({ data: complianceView(parts) }),
    testCompliance: (_request, { body }) => test(parts, body),
    listComplianceFlags: (_request, { query }) => listFlags(parts, query),
    clearComplianceFlag: (request, { params, body }) =>
      actOnce(parts, request, async () => {
        const actor = actingOperator(request).operatorId;
        const clearing = { actor, reason: body.reason, atMs: parts.clock.wallMs() };
        const flag = await parts.platform.compliance.clearFlag(params.flag_id, clearing);
        return flag === null ? fail('NOT_FOUND') : { data: flagView(flag) };
      }),
    linkAccounts: (request, { body }) => actOnce(parts, request, () => link(parts, body)),
    setAccountCountry: (request, { params, body }) =>
      actOnce(parts, request, () => setCountry(parts, params.account_id, body.country)),
  };
}

function complianceView({ office }: OperatorParts): Compliance {
  const { record, rules } = office;
  return {
    version: record?.version ?? 0,
    hash: record?.hash ?? '',
    actor: record?.actor ?? null,
    reason: record?.reason ?? null,
    loaded_at: isoTimeOrNull(record?.atMs ?? null),
    loaded_at_ms: record?.atMs ?? null,
    rules,
  };
}

async function test(
  { office, platform }: OperatorParts,
  told: InputOf<OperatorOperations['testCompliance']>['body'],
): Promise<Reply<OutputOf<OperatorOperations['testCompliance']>> | ApiError> {
  const { account_id: accountId } = told;
  const user = accountId === undefined ? null : await platform.userByAccount(accountId);
  if (accountId !== undefined && user === null) return fail('NOT_FOUND');
  const profile = user === null ? null : await platform.profiles.of(user.userId);
  const known = user === null ? NOBODY : personOf(user, profile, user.tier);
  const found = office.test({
    name: told.name ?? known.name,
    email: told.email ?? known.email,
    wallet: told.wallet ?? known.wallet,
    country: told.country ?? known.country,
    tier: tierOf(told.tier ?? known.tier),
  });
  const lanes = (['live', 'sandbox'] as const).map((lane) => ({
    lane,
    restrictions: found[lane].map(restrictionView),
  }));
  return { data: { version: office.record?.version ?? 0, lanes } };
}

const NOBODY = {
  name: null,
  email: null,
  wallet: null,
  country: null,
  tier: 'self_serve',
} as const;

function restrictionView(restriction: Restriction): WireRestriction {
  const { code, operations, ruleId, reason, liftedBy } = restriction;
  const rule = { rule_id: ruleId, lifted_by: liftedBy, until_ms: null };
  return { code, operations: [...operations], reason, ...rule };
}

const FLAGS_MAX = 500;

async function listFlags(
  { platform }: OperatorParts,
  query: InputOf<OperatorOperations['listComplianceFlags']>['query'],
): Promise<Reply<OutputOf<OperatorOperations['listComplianceFlags']>>> {
  const { status = 'open', before_ms: beforeMs = Number.MAX_SAFE_INTEGER } = query;
  const flags = await platform.compliance.flags({ status, limit: FLAGS_MAX, beforeMs });
  return { data: { flags: flags.map(flagView) } };
}

function flagView(flag: FlagRecord): ComplianceFlag {
  return {
    flag_id: flag.flagId,
    kind: flag.kind,
    rule_id: flag.ruleId,
    user_id: flag.subject.startsWith('usr_') ? flag.subject : null,
    detail: flag.detail,
    blocks: flag.blocks,
    raised_at: isoTime(flag.raisedAtMs),
    raised_at_ms: flag.raisedAtMs,
    cleared_at: isoTimeOrNull(flag.clearedAtMs),
    cleared_at_ms: flag.clearedAtMs,
    cleared_by: flag.clearedBy,
    clear_reason: flag.clearReason,
  };
}

async function link(
  { platform }: OperatorParts,
  body: InputOf<OperatorOperations['linkAccounts']>['body'],
): Promise<Reply<OutputOf<OperatorOperations['linkAccounts']>> | ApiError> {
  const { account_id, other_account_id, linked } = body;
  const one = await platform.userByAccount(account_id);
  const other = await platform.userByAccount(other_account_id);
  if (one === null || other === null) return fail('NOT_FOUND');
  if (one.userId === other.userId) {
    const expected = 'an account of somebody else';
    return fail('VALIDATION_FAILED', { field: 'other_account_id', expected });
  }
  await platform.compliance.setLink(one.userId, other.userId, linked);
  return { data: { account_id, other_account_id, linked } };
}

async function setCountry(
  { platform }: OperatorParts,
  accountId: string,
  country: string | null,
): Promise<Reply<OutputOf<OperatorOperations['setAccountCountry']>> | ApiError> {
  const user = await platform.userByAccount(accountId);
  if (user === null) return fail('NOT_FOUND');
  // Taken away, it is the user's to declare again.
  await platform.profiles.change(user.userId, { country, isCountryFixed: country !== null });
  return { data: { account_id: accountId, user_id: user.userId, country } };
}
