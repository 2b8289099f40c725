// The engine's public surface: one function that changes a lane, and pure ways to look at it.

export { checkFree } from './account/money.ts';
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
export { CREDITS_MAX, platformFund, type VestedFee, vestedFees } from './fee/credit.ts';
export { CORRECTION } from './funds/checks.ts';
export { OPERATOR_CUSTODY } from './funds/deposit.ts';
export { isOpenWithdrawal } from './funds/funds.ts';
export * from './generated/order.ts';
export { viewOrder } from './generated/order-forms.ts';
export { stateHash } from './hash.ts';
export { checkAccount, checkAll, checkMarket, checkTouched } from './invariants.ts';
export { assert, Defect } from './kit/assert.ts';
export * from './kit/identity.ts';
export type { AccountIndex, Ledger, LedgerAccount } from './ledger/ledger.ts';
export { entryOf, type Posting, postingsOf } from './ledger/postings.ts';
export type { SlotNames } from './ledger/tape.ts';
export { ENGINE_BUILD, ENGINE_LOGIC } from './logic.ts';
export { type MarketPreview, previewMarket } from './market/create.ts';
export { type Depth, type DepthLevel, depthOf } from './market/depth.ts';
export { marketIdOf } from './market/market-id.ts';
export { referenceMid, shownPrices } from './market/mid.ts';
export { publicVolume } from './market/public-volume.ts';
export { type OrderPreview, type PreviewFill, previewOrder } from './order/preview.ts';
export { findHolding, freeShares, reservedShares } from './position/holdings.ts';
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
export { decodeSnapshot } from './snapshot/decode.ts';
export { encodeSnapshot } from './snapshot/encode.ts';
export type { Account } from './state/account.ts';
export { isHeldByOperator, isOwn, PLATFORM_ACCOUNT } from './state/account.ts';
export { capUseOf, restingGrants } from './state/cap-use.ts';
export { advanceClock, type JournalClock, startClock } from './state/clock.ts';
export {
  decodeCommand,
  decodeValue,
  encodeCommand,
  encodeOutcome,
  encodeValue,
} from './state/codec.ts';
export type * from './state/command.ts';
export type * from './state/event.ts';
export { basisOf, type Holding, keptOf, realizedOf } from './state/holding.ts';
export {
  type Cancellation,
  hasTraded,
  isFinal,
  type Market,
  type MarketStatus,
  outcomeIndex,
  type Proposal,
} from './state/market.ts';
export type { Order } from './state/order.ts';
export { grantIdOf, isOpen } from './state/order.ts';
export type { Answer, Outcome, Result } from './state/outcome.ts';
export {
  changeableParameters,
  isAmountParameter,
  type ParameterChange,
} from './state/parameter-change.ts';
export { DEFAULT_PARAMETERS, type Parameters } from './state/parameters.ts';
export {
  REJECT_CODES,
  type RejectCode,
  type RejectDetail,
  type Rejection,
} from './state/reject.ts';
export { createState, type State } from './state/state.ts';
export { renderText } from './template/display.ts';
export type * from './template/template.ts';
