// Names of the closed sets, so that generated clients get one type for each instead of many copies.

import { countryCodes } from '../src/countries.ts';
import { fillVenues } from '../src/envelope.ts';
import { errorCodes } from '../src/errors.ts';
import { credentialClasses, quotaCategories, rateCategories, tiers } from '../src/limits.ts';
import { operatorRoles } from '../src/operator/roles.ts';
import { accountModes, assets } from '../src/resources/account.ts';
import { environments, keyStatuses } from '../src/resources/api-key.ts';
import { appStatuses, clientTypes } from '../src/resources/app.ts';
import { approvalStates } from '../src/resources/approval.ts';
import { applicationStatuses, tracks } from '../src/resources/builder.ts';
import { cancellationCauses, confirmations, voidCauses } from '../src/resources/cancellation.ts';
import { complianceGroups, liftedBy } from '../src/resources/compliance.ts';
import { depositStates } from '../src/resources/deposit.ts';
import { grantEnds, grantKinds, grantStatuses } from '../src/resources/grant.ts';
import { parameterParts } from '../src/resources/lane-parameters.ts';
import { conversionActions, ledgerReasons } from '../src/resources/ledger.ts';
import { marketStatuses } from '../src/resources/market.ts';
import { intervals, sides } from '../src/resources/market-data.ts';
import {
  clockDecisions,
  maintenanceEffects,
  maintenancePhases,
  platformModes,
  workStates,
} from '../src/resources/operator.ts';
import { userScopes } from '../src/resources/operator-account.ts';
import { chainRecords } from '../src/resources/operator-acts.ts';
import {
  cancelReasons,
  orderStatuses,
  orderTypes,
  rejectReasons,
  selfTradeModes,
  timesInForce,
} from '../src/resources/order.ts';
import { summaryRanges } from '../src/resources/portfolio-summary.ts';
import { credentialKinds, requestMethods } from '../src/resources/request.ts';
import { resolutionStates } from '../src/resources/resolution.ts';
import { earningRowKinds, platformFunds } from '../src/resources/revenue.ts';
import { laneStates } from '../src/resources/status.ts';
import { freezingParties, subaccountStatuses } from '../src/resources/subaccount.ts';
import { feeActors, healthStatuses } from '../src/resources/system.ts';
import {
  marketTypes,
  oracleSources,
  outcomeSchemas,
  templateStatuses,
} from '../src/resources/template.ts';
import { deliveryStatuses, webhookStatuses } from '../src/resources/webhook.ts';
import { withdrawalStates } from '../src/resources/withdrawal.ts';
import { permissions } from '../src/scopes.ts';
import { trafficLanes } from '../src/streams/broadcast.ts';
import { resyncReasons, revocationReasons } from '../src/streams/session.ts';
import { signalKinds } from '../src/streams/signals.ts';
import { locales } from '../src/texts/locales.ts';

const sets: Readonly<Record<string, readonly string[]>> = {
  AccountMode: accountModes,
  ApplicationStatus: applicationStatuses,
  ApprovalState: approvalStates,
  AppStatus: appStatuses,
  Asset: assets,
  CancelReason: cancelReasons,
  ChainRecord: chainRecords,
  ClientType: clientTypes,
  ClockDecision: clockDecisions,
  ComplianceGroup: complianceGroups,
  ConversionAction: conversionActions,
  EarningRowKind: earningRowKinds,
  PlatformFund: platformFunds,
  CountryCode: countryCodes,
  CredentialKind: credentialKinds,
  DeliveryStatus: deliveryStatuses,
  DisabledReason: ['gone', 'failing', 'password_changed'],
  Environment: environments,
  ErrorCode: errorCodes,
  FeeActor: feeActors,
  FillVenue: fillVenues,
  GrantEnd: grantEnds,
  GrantKind: grantKinds,
  GrantStatus: grantStatuses,
  HealthStatus: healthStatuses,
  Track: tracks,
  LiftedBy: liftedBy,
  HeartbeatScope: ['account', 'market'],
  Interval: intervals,
  KeyStatus: keyStatuses,
  SubaccountStatus: subaccountStatuses,
  FreezingParty: freezingParties,
  LaneState: laneStates,
  LedgerReason: ledgerReasons,
  LoopbackAddress: ['127.0.0.1', '::1'],
  Liquidity: ['maker', 'taker'],
  Locale: locales,
  MaintenanceEffect: maintenanceEffects,
  MaintenancePhase: maintenancePhases,
  VoidCause: voidCauses,
  CancellationCause: cancellationCauses,
  CancellationRuling: confirmations,
  MarketStatus: marketStatuses,
  SummaryRange: summaryRanges,
  MarketType: marketTypes,
  OracleSource: oracleSources,
  OperatorRole: operatorRoles,
  OrderStatus: orderStatuses,
  OrderType: orderTypes,
  OutcomeSchema: outcomeSchemas,
  ParameterPart: parameterParts,
  Permission: permissions,
  QuotaCategory: quotaCategories,
  QuotaHolder: credentialClasses,
  RateCategory: rateCategories,
  RejectReason: rejectReasons,
  RequestMethod: requestMethods,
  ResolutionState: resolutionStates,
  ResyncReason: resyncReasons,
  RevocationReason: revocationReasons,
  SelfTradeMode: selfTradeModes,
  Side: sides,
  SignalKind: signalKinds,
  TemplateStatus: templateStatuses,
  Tier: tiers,
  TimeInForce: timesInForce,
  TradingMode: platformModes,
  TrafficLane: trafficLanes,
  UserScope: userScopes,
  WebhookStatus: webhookStatuses,
  WithdrawalState: withdrawalStates,
  DepositState: depositStates,
  WorkState: workStates,
};

const names = new Map(Object.entries(sets).map(([name, values]) => [values.join(' '), name]));

/** What the set of exactly these values is called; undefined if it has no name. */
export function setNameOf(values: readonly unknown[]): string | undefined {
  return names.get(values.join(' '));
}
