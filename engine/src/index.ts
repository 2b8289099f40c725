// The engine's public surface: one function that changes a lane, and pure ways to look at it.

export type { Account } from './account/account.ts';
export { isHeldByOperator, isOwn, PLATFORM_ACCOUNT } from './account/account.ts';
export { checkFree } from './account/money.ts';
export { assert, Defect } from './assert.ts';
export { type Depth, type DepthLevel, depthOf } from './book/depth.ts';
export { advanceClock, type JournalClock, startClock } from './clock.ts';
export { decodeCommand, decodeValue, encodeCommand, encodeOutcome, encodeValue } from './codec.ts';
export type * from './command.ts';
export {
  COMMAND_LETTERS,
  commandVersion,
  isCommandType,
  isRelief,
} from './command-table.ts';
export {
  amountAt,
  FOR_EVER_MS,
  isExcluded,
  LIMIT_KINDS,
  type LimitKind,
  lossesOf,
} from './compliance/own-limits.ts';
export { PERIODS } from './compliance/windows.ts';
export { apply } from './engine.ts';
export type * from './event.ts';
export { CREDITS_MAX, platformFund, type VestedFee, vestedFees } from './fee/credit.ts';
export { CORRECTION } from './funds/checks.ts';
export { OPERATOR_CUSTODY } from './funds/deposit.ts';
export { isOpenWithdrawal } from './funds/funds.ts';
export * from './generated/order.ts';
export { viewOrder } from './generated/order-forms.ts';
export { stateHash } from './hash.ts';
export * from './identity.ts';
export { checkAccount, checkAll, checkMarket, checkTouched } from './invariants.ts';
export type { AccountIndex, Ledger, LedgerAccount } from './ledger/ledger.ts';
export { entryOf, type Posting, postingsOf } from './ledger/postings.ts';
export type { SlotNames } from './ledger/tape.ts';
export { ENGINE_BUILD, ENGINE_LOGIC } from './logic.ts';
export { type MarketPreview, previewMarket } from './market/create.ts';
export {
  type Cancellation,
  hasTraded,
  isFinal,
  type Market,
  type MarketStatus,
  outcomeIndex,
  type Proposal,
} from './market/market.ts';
export { marketIdOf } from './market/market-id.ts';
export { referenceMid, shownPrices } from './market/mid.ts';
export { publicVolume } from './market/public-volume.ts';
export type { Order } from './order/order.ts';
export { grantIdOf, isOpen } from './order/order.ts';
export { type OrderPreview, type PreviewFill, previewOrder } from './order/preview.ts';
export type { Answer, Outcome, Result } from './outcome.ts';
export {
  changeableParameters,
  isAmountParameter,
  type ParameterChange,
} from './parameter-change.ts';
export { DEFAULT_PARAMETERS, type Parameters } from './parameters.ts';
export { basisOf, type Holding, keptOf, realizedOf } from './position/holding.ts';
export { findHolding, freeShares, reservedShares } from './position/holdings.ts';
export { REJECT_CODES, type RejectCode, type RejectDetail, type Rejection } from './reject.ts';
export {
  type FairValue,
  fairValue,
  isMoved,
  isShallow,
  lastDayValue,
  type PriceSources,
  roundValue,
  slicesUntilNow,
  tradingTimeMs,
} from './resolution/fair-value.ts';
export { windowOfRound } from './resolution/void.ts';
export { previewVoid, type VoidPart, type VoidPreview } from './resolution/void-preview.ts';
export { capUseOf, restingGrants } from './risk/cap-use.ts';
export { decodeSnapshot } from './snapshot/decode.ts';
export { encodeSnapshot } from './snapshot/encode.ts';
export { createState, type State } from './state.ts';
export { renderText } from './template/display.ts';
export type * from './template/template.ts';
