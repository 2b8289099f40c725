// The public surface of the contract: operations, errors, limits and the types of all of them.

import type { InputOf, OutputOf } from './define.ts';
import { operations } from './operations/all.ts';
import { webhookOperations } from './operations/webhooks.ts';
import { operatorOperations } from './operator.ts';

export { type Alias, aliases, canonicalPath } from './aliases.ts';
export { builderAgreement } from './builder-agreement.ts';
export {
  type AnyOperation,
  type Auth,
  type Idempotency,
  type InputOf,
  type Method,
  type Operation,
  type OutputOf,
  operation,
  type Release,
} from './define.ts';
export {
  apiVersion,
  ErrorBody,
  ErrorEnvelope,
  envelopeOf,
  fillVenues,
  type HeaderDefinition,
  type HeaderName,
  OAuthError,
  type OAuthErrorName,
  responseHeaders,
} from './envelope.ts';
export {
  type ErrorCode,
  type ErrorDefinition,
  type ErrorOrigin,
  type ErrorSince,
  errorCode,
  errorCodes,
  errors,
  isErrorCode,
} from './errors.ts';
export { type Fact, type FactValue, factsOf, wordForNone } from './facts.ts';
export { type Group, groups } from './groups.ts';
export { type IdKind, idKinds } from './ids.ts';
export {
  type CredentialClass,
  credentialClasses,
  earlyTiers,
  limits,
  type QuotaCategory,
  quotaCategories,
  type RateCategory,
  type RateScope,
  rateCategories,
  rateScopes,
  type Tier,
  type TierLimits,
  tiers,
} from './limits.ts';
export { attributionGroupings, revenueGroupings } from './operations/attribution.ts';
export type { BatchItem } from './operations/order-sets.ts';
export {
  mayAct,
  type OperatorRole,
  operatorRoles,
  rolesIn,
  rolesInWords,
  whoMayAct,
} from './operator/roles.ts';
export { isVisible, lineCharacter, shownTextFault } from './plain-text.ts';
export { Account, accountModes, assets, type Balance, Position } from './resources/account.ts';
export { type AlarmName, type Alarms, alarmActions, alarmNames } from './resources/alarm.ts';
export {
  type ApiKey,
  environments,
  keyStatuses,
  type MintedKey,
  type RevokedKey,
} from './resources/api-key.ts';
export {
  type App,
  type AppWithSecret,
  appStatuses,
  clientTypes,
  type ReviewedApp,
} from './resources/app.ts';
export type { ApprovalRequest } from './resources/approval.ts';
export { type Builder, type ReviewedBuilder, type Track, tracks } from './resources/builder.ts';
export {
  type Compliance,
  type ComplianceFlag,
  type ComplianceGroup,
  type ComplianceRules,
  complianceGroups,
  type LiftedBy,
  type Restriction,
} from './resources/compliance.ts';
export { type Deposit, DepositReport, type ReportedDeposit } from './resources/deposit.ts';
export { type FactorKind, type Factors, factorKinds, type Passkey } from './resources/factor.ts';
export type { FoundAccount, FoundMarket } from './resources/found.ts';
export type { FoundUser } from './resources/found-user.ts';
export {
  type GivenGrant,
  type Grant,
  grantEnds,
  grantKinds,
  grantStatuses,
  type TokenAnswer,
} from './resources/grant.ts';
export { type JobName, type Jobs, jobs } from './resources/job.ts';
export {
  type Conversion,
  conversionActions,
  type LedgerEntry,
  ledgerReasons,
} from './resources/ledger.ts';
export { Market, marketStatuses } from './resources/market.ts';
export { Candle, intervals, OrderBook, sides, Trade } from './resources/market-data.ts';
export type {
  AccountTier,
  CreditedDeposit,
  CustodyReport,
  HistoryState,
  MaintenanceState,
  PlatformMode,
  Reconciliation,
} from './resources/operator.ts';
export { userScopes } from './resources/operator-account.ts';
export {
  cancelReasons,
  Fill,
  Order,
  OrderInput,
  type OrderPreview,
  orderStatuses,
  orderTypes,
  type PlacedOrder,
  previewOrderId,
  rejectReasons,
  selfTradeModes,
  timesInForce,
} from './resources/order.ts';
export type { OwnLimits } from './resources/own-limits.ts';
export { type PersonalData, recordsElsewhere } from './resources/personal-data.ts';
export type { PlatformState } from './resources/platform-state.ts';
export { type PortfolioSummary, summaryRanges } from './resources/portfolio-summary.ts';
export type { OpenSession, Profile } from './resources/profile.ts';
export { queueKinds } from './resources/queues.ts';
export { type Resolution, resolutionStates } from './resources/resolution.ts';
export type { AttributionRow, RevenueRow } from './resources/revenue.ts';
export { sampleLines } from './resources/samples.ts';
export type { Session } from './resources/session.ts';
export { type Subaccount, subaccountStatuses, type Transfer } from './resources/subaccount.ts';
export { feeActors, type Health, healthStatuses, type LqfConfig } from './resources/system.ts';
export {
  marketTypes,
  oracleSources,
  outcomeSchemas,
  Template,
  templateStatuses,
} from './resources/template.ts';
export { TemplateInput } from './resources/template-input.ts';
export {
  deliveryStatuses,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
  webhookStatuses,
} from './resources/webhook.ts';
export type { Destination, Withdrawal } from './resources/withdrawal.ts';
export {
  type PartnerScope,
  type Permission,
  partnerScopes,
  permissions,
  type Scope,
  scopes,
} from './scopes.ts';
export {
  type StreamData,
  type StreamMessages,
  type StreamMessageType,
  streamMessages,
} from './streams/all.ts';
export { trafficLanes } from './streams/broadcast.ts';
export { bookChecksum, bookChecksumText } from './streams/checksum.ts';
export { type CloseCode, type CloseReason, closeCodes } from './streams/close-codes.ts';
export {
  type CommandFrame,
  type CommandName,
  type SocketCommand,
  type SocketCommands,
  socketCommands,
} from './streams/commands.ts';
export {
  type AnyStreamMessage,
  type Channel,
  channels,
  type StreamMessage,
  type Visibility,
} from './streams/define.ts';
export { exampleFrame, frameOf, isStreamed } from './streams/frame.ts';
export { type GuideSection, streamGuide } from './streams/guide.ts';
export {
  nearestStreamNames,
  parseStreamName,
  type StreamBase,
  type StreamDefinition,
  type StreamForm,
  type StreamName,
  streamName,
  streamNames,
  streams,
} from './streams/names.ts';
export { resyncReasons, revocationReasons } from './streams/session.ts';
export { signalKinds } from './streams/signals.ts';
export { closedSchema } from './strict.ts';
export {
  type Aggregate,
  aggregates,
  exampleDelivery,
  isSentWebhookEventType,
  isWebhookEventType,
  type WebhookData,
  type WebhookEvent,
  type WebhookEventType,
  webhookEnvelopeOf,
  webhookEvents,
  webhookEventTypes,
  webhookHeaders,
} from './webhooks.ts';
export { operations, operatorOperations, webhookOperations };

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export type OperatorOperations = typeof operatorOperations;
export type OperatorOperationId = keyof OperatorOperations;

/** What the operation with this id takes and gives, for handlers and clients. */
export type OperationInput<Id extends OperationId> = InputOf<Operations[Id]>;
export type OperationOutput<Id extends OperationId> = OutputOf<Operations[Id]>;
