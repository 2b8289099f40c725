// All attacks, by the rule that they try to break.
import type { Attack } from './attack.ts';
import { briefPresence } from './brief-presence.ts';
import { cancelledMarkets } from './cancelled-markets.ts';
import {
  amendedDays,
  cappedMint,
  makerFills,
  restingCrowd,
  subaccountDays,
} from './capped-days.ts';
import { amendedSell, largeSell } from './capped-sells.ts';
import { manySided, manySidedMerge, mergeDetour, mintDetour, quotedDetour } from './detours.ts';
import { displacedPool } from './displaced-pools.ts';
import { distantClose, falseTitle } from './false-titles.ts';
import { washedConversions, washedFees } from './fee-farms.ts';
import { givenByGrant, givenByKey, pushedPrice } from './given-sells.ts';
import { keptHalted, runawayBook, runawayOrder } from './halts.ts';
import {
  freeCreatorMarkets,
  fundedHouseMarkets,
  manyOpenMarkets,
  pennilessMarkets,
} from './house-markets.ts';
import { lateExpiry, lateLock, manyOutcomes, oneSweep } from './large-turns.ts';
import { proposedByLoser } from './losers-prize.ts';
import { crossedBands, tinyBids } from './many-outcomes.ts';
import { lowPatientMid, movedMid, patientMid } from './mid-fills.ts';
import { minuteMarks } from './minute-marks.ts';
import { strangerSettles, strangerSettlesOrders } from './mock-oracle.ts';
import { familyPosition, mintedPosition, restingPosition } from './position-limits.ts';
import { lockByBond, shortWindow, windowWhileDown, windowWhileReadOnly } from './proposals.ts';
import { bookStrangers, creatorsFriend } from './stale-sales.ts';

export const ATTACKS: readonly Attack[] = [
  pennilessMarkets,
  freeCreatorMarkets,
  fundedHouseMarkets,
  manyOpenMarkets,
  falseTitle,
  distantClose,
  largeSell,
  amendedSell,
  givenByKey,
  givenByGrant,
  pushedPrice,
  makerFills,
  restingCrowd,
  subaccountDays,
  amendedDays,
  cappedMint,
  mintedPosition,
  familyPosition,
  restingPosition,
  mintDetour,
  mergeDetour,
  manySided,
  manySidedMerge,
  creatorsFriend,
  bookStrangers,
  displacedPool,
  washedFees,
  washedConversions,
  proposedByLoser,
  cancelledMarkets,
  quotedDetour,
  minuteMarks,
  strangerSettles,
  strangerSettlesOrders,
  lockByBond,
  windowWhileDown,
  windowWhileReadOnly,
  shortWindow,
  keptHalted,
  runawayOrder,
  runawayBook,
  crossedBands,
  tinyBids,
  oneSweep,
  lateLock,
  lateExpiry,
  manyOutcomes,
  movedMid,
  patientMid,
  lowPatientMid,
  briefPresence,
];
