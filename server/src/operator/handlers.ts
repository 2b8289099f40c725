// The operator plane: one handler for each of its operations.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import { ApiError, isoTime, type Reply, type RequestContext } from '../handling/handler.ts';
import { SecondFactor } from '../proof/second-factor.ts';
import { firstRun } from '../wire/first-answer.ts';
import { publicWords } from '../wire/public-words.ts';
import { accountRecords } from './account-records.ts';
import { alarmActs } from './alarms.ts';
import { appActs } from './apps.ts';
import { backupActs } from './backups.ts';
import { builderActs } from './builders.ts';
import { cancellationActs } from './cancellations.ts';
import { clockActs } from './clock.ts';
import { complianceActs } from './compliance.ts';
import { depositActs } from './deposits.ts';
import { factorActs } from './factors.ts';
import { findingActs } from './finding.ts';
import { withdrawalFinding } from './found-withdrawals.ts';
import { freezeActs } from './freezes.ts';
import { historyActs } from './history.ts';
import { jobActs } from './jobs.ts';
import { localReceiverActs } from './local-receivers.ts';
import { maintenanceActs } from './maintenance.ts';
import { marketMakingActs } from './market-making.ts';
import { marketActs } from './markets.ts';
import { operatorActs } from './operators.ts';
import { parameterActs } from './parameters.ts';
import { partnerScopeActs } from './partner-scopes.ts';
import { act, laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';
import { platformFeeActs } from './platform-fees.ts';
import { platformActs } from './platform-state.ts';
import { queueActs } from './queues.ts';
import { quotaActs } from './quotas.ts';
import { reconciliationActs } from './reconciliation.ts';
import { recordActs } from './records.ts';
import { sessionActs } from './sessions.ts';
import { signingActs } from './signing.ts';
import { supervised } from './supervision.ts';
import { templateActs } from './templates.ts';
import { ceilingActs } from './tier-ceilings.ts';
import { tierActs } from './tiers.ts';
import { userActs } from './users.ts';
import { withdrawalActs } from './withdrawals.ts';

export function operatorHandlers(parts: OperatorParts): OperatorHandlers {
  const codes = new SecondFactor({ ...parts, factors: parts.operators.factors });
  return supervised(parts, {
    setPlatformMode: (request, { body }) => setPlatformMode(parts, request, body),
    ...platformActs(parts),
    ...findingActs(parts),
    ...accountRecords(parts),
    ...sessionActs(parts, codes),
    ...factorActs(parts, codes),
    ...operatorActs(parts),
    ...userActs(parts),
    ...clockActs(parts),
    ...marketActs(parts),
    ...marketMakingActs(parts),
    ...cancellationActs(parts),
    ...depositActs(parts),
    ...platformFeeActs(parts),
    ...withdrawalFinding(parts),
    ...withdrawalActs(parts),
    ...freezeActs(parts),
    ...recordActs(parts),
    ...parameterActs(parts),
    ...queueActs(parts),
    ...alarmActs(parts),
    ...jobActs(parts),
    ...tierActs(parts),
    ...builderActs(parts),
    ...appActs(parts),
    ...signingActs(parts),
    ...partnerScopeActs(parts),
    ...ceilingActs(parts),
    ...quotaActs(parts),
    ...complianceActs(parts),
    ...reconciliationActs(parts),
    ...backupActs(parts),
    ...historyActs(parts),
    ...maintenanceActs(parts),
    ...localReceiverActs(parts),
    ...templateActs(parts),
  });
}

type ModeInput = InputOf<OperatorOperations['setPlatformMode']>['body'];
type Mode = OutputOf<OperatorOperations['setPlatformMode']>;

async function setPlatformMode(
  parts: OperatorParts,
  request: RequestContext,
  body: ModeInput,
): Promise<Reply<Mode> | ApiError> {
  const watched = laneOf(parts, body.lane);
  if (watched instanceof ApiError) return watched;
  const outcome = await act(watched.lane, request, body, {
    type: 'set_read_only',
    readOnly: body.mode !== 'normal',
    cancelOnly: body.mode === 'cancel_only',
    reason: body.message ?? publicWords[body.mode],
  });
  if (outcome instanceof ApiError) return outcome;
  parts.statusChanged?.();
  const { atMs } = await firstRun(watched.lane, request, outcome);
  const { lane, mode } = body;
  const data = { lane, mode, changed_at: isoTime(atMs), changed_at_ms: atMs };
  return { data, replayed: outcome.replayed };
}
