// Checks the fields of a template definition that is to be published (TP4, CM7).
import { isLots, PIPS_ONE } from '@sibyl/money';
import { createPool } from '../amm/pool.ts';
import { invalid, type Rejection } from '../state/reject.ts';
import { outcomeCount } from './display.ts';
import { isRecord } from './schema.ts';
import type { TemplateDefinition } from './template.ts';

/** The first field out of range, or null. Shapes are not trusted: a gateway can be wrong. */
export function checkDefinition(definition: TemplateDefinition): Rejection | null {
  if (!isRecord(definition)) return invalid('template', 'an object');
  return (
    checkIdentity(definition) ??
    checkOutcomes(definition) ??
    checkBets(definition) ??
    checkFees(definition) ??
    checkDisplay(definition) ??
    checkRound(definition) ??
    checkOracle(definition) ??
    checkTrading(definition) ??
    checkPool(definition)
  );
}

/** More than any market will see, far below what the ledger can hold. */
const AMOUNT_MAX = 10n ** 15n;
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
const LANGUAGE_LENGTH_MAX = 35;
const TRANSLATIONS_MAX = 32;
const NAME_LENGTH_MAX = 128;
const TITLE_LENGTH_MAX = 256;
const TEXT_LENGTH_MAX = 4096;
const URL_LENGTH_MAX = 2048;
/** As long as a market may live: five years. */
const DURATION_SEC_MAX = 157_766_400;
const ROUND_SEC_MAX = 86_400;
const CHALLENGE_SEC_MAX = 2_592_000;
const SOURCE_PARAMS_MAX = 32;
const PRIOR_MIN = 100;
const BAND_PIPS_MAX = 2000;

function checkIdentity(definition: TemplateDefinition): Rejection | null {
  const { id, name, category, marketType, outcomeSchema } = definition;
  if (typeof id !== 'string' || !ID.test(id)) return invalid('id', '1 to 64 letters or digits');
  if (!isText(name, 1, NAME_LENGTH_MAX)) return invalid('name', '1 to 128 characters');
  if (!isText(category, 1, NAME_LENGTH_MAX)) return invalid('category', '1 to 128 characters');
  if (!['fast', 'normal', 'creator'].includes(marketType)) {
    return invalid('market_type', 'fast, normal or creator');
  }
  if (!['binary', 'multi', 'scalar'].includes(outcomeSchema)) {
    return invalid('outcome_schema', 'binary, multi or scalar');
  }
  return null;
}

function checkOutcomes(definition: TemplateDefinition): Rejection | null {
  const { outcomes, outcomeSchema } = definition;
  if (!Array.isArray(outcomes)) return invalid('outcomes', 'a list');
  if (outcomeSchema !== 'multi') {
    return outcomes.length === 0 ? null : invalid('outcomes', 'none unless multi');
  }
  if (outcomes.length < 2 || outcomes.length > 64) return invalid('outcomes', '2 to 64 outcomes');
  const ids = new Set<string>();
  for (const outcome of definition.outcomes) {
    if (!isRecord(outcome)) return invalid('outcomes', 'objects');
    const { id, label } = outcome;
    if (typeof id !== 'string' || !ID.test(id))
      return invalid('outcomes', 'ids of letters or digits');
    if (ids.has(id)) return invalid('outcomes', 'distinct ids');
    if (!isText(label, 1, NAME_LENGTH_MAX))
      return invalid('outcomes', 'labels of 1 to 128 characters');
    ids.add(id);
  }
  return null;
}

function checkBets({ minBet, maxBet }: TemplateDefinition): Rejection | null {
  if (!isAmount(minBet)) return invalid('min_bet', 'an amount of at least 0');
  if (!isAmount(maxBet) || maxBet === 0n) return invalid('max_bet', 'a positive amount');
  return minBet > maxBet ? invalid('min_bet', 'at most max_bet') : null;
}

function checkFees({ feeSchedule }: TemplateDefinition): Rejection | null {
  if (!isRecord(feeSchedule)) return invalid('fee_schedule', 'an object');
  const { takerBps, makerBps, settleBps } = feeSchedule;
  if (!isWithin(takerBps, 8, 20)) return invalid('fee_schedule.taker_bps', '8 to 20');
  if (!isWithin(makerBps, 3, 8)) return invalid('fee_schedule.maker_bps', '3 to 8');
  if (!isWithin(settleBps, 0, 1000)) return invalid('fee_schedule.settle_bps', '0 to 1000');
  return null;
}

function checkDisplay({ displayDefaults }: TemplateDefinition): Rejection | null {
  if (!isRecord(displayDefaults)) return invalid('display_defaults', 'an object');
  const { titleTemplate, subtitleTemplate, description, imageUrlPattern } = displayDefaults;
  const path = 'display_defaults';
  if (!isText(titleTemplate, 1, TITLE_LENGTH_MAX)) {
    return invalid(`${path}.title_template`, '1 to 256 characters');
  }
  if (subtitleTemplate !== null && !isText(subtitleTemplate, 0, TITLE_LENGTH_MAX)) {
    return invalid(`${path}.subtitle_template`, 'at most 256 characters');
  }
  if (description !== null && !isText(description, 0, TEXT_LENGTH_MAX)) {
    return invalid(`${path}.description`, 'at most 4096 characters');
  }
  if (imageUrlPattern !== null && !isText(imageUrlPattern, 1, URL_LENGTH_MAX)) {
    return invalid(`${path}.image_url_pattern`, '1 to 2048 characters');
  }
  return checkTranslations(displayDefaults.translations);
}

function checkTranslations(translations: unknown): Rejection | null {
  if (translations === undefined) return null;
  const path = 'display_defaults.translations';
  if (!isRecord(translations)) return invalid(path, 'an object');
  const tags = Object.keys(translations).sort();
  if (tags.length > TRANSLATIONS_MAX) return invalid(path, 'at most 32 languages');
  for (const tag of tags) {
    const translation = translations[tag];
    if (tag.length > LANGUAGE_LENGTH_MAX || !LANGUAGE.test(tag)) {
      return invalid(path, 'language tags as names');
    }
    if (!isRecord(translation)) return invalid(`${path}.${tag}`, 'an object');
    const { titleTemplate, subtitleTemplate } = translation;
    if (!isText(titleTemplate, 1, TITLE_LENGTH_MAX)) {
      return invalid(`${path}.${tag}.title_template`, '1 to 256 characters');
    }
    if (subtitleTemplate !== null && !isText(subtitleTemplate, 0, TITLE_LENGTH_MAX)) {
      return invalid(`${path}.${tag}.subtitle_template`, 'at most 256 characters');
    }
  }
  return null;
}

function checkRound({
  marketType,
  roundConfig,
  durationSec,
}: TemplateDefinition): Rejection | null {
  if (marketType !== 'fast') {
    if (roundConfig !== null) return invalid('round_config', 'none unless fast');
    const isDuration = isWithin(durationSec, 1, DURATION_SEC_MAX);
    return isDuration ? null : invalid('duration_sec', `1 to ${DURATION_SEC_MAX}`);
  }
  if (!isRecord(roundConfig)) return invalid('round_config', 'a round of a fast template');
  const { durationSec: roundSec, lockOffsetMs } = roundConfig;
  if (!isWithin(roundSec, 1, ROUND_SEC_MAX))
    return invalid('round_config.duration_sec', '1 to 86400');
  if (!isWithin(lockOffsetMs, 0, roundSec * 1000 - 1)) {
    return invalid('round_config.lock_offset_ms', 'less than the round');
  }
  return null;
}

function checkOracle({ oracleConfig }: TemplateDefinition): Rejection | null {
  if (!isRecord(oracleConfig)) return invalid('oracle_config', 'an object');
  const { source, params, challengeSec, bond } = oracleConfig;
  if (typeof source !== 'string') return invalid('oracle_config.source', 'a text');
  if (!isRecord(params) || !isFlat(params)) {
    return invalid('oracle_config.params', 'at most 32 texts, numbers or booleans');
  }
  if (challengeSec !== null && !isWithin(challengeSec, 0, CHALLENGE_SEC_MAX)) {
    return invalid('oracle_config.challenge_sec', `0 to ${CHALLENGE_SEC_MAX}`);
  }
  if (bond !== null && !isAmount(bond)) return invalid('oracle_config.bond', 'an amount');
  return null;
}

function checkTrading(definition: TemplateDefinition): Rejection | null {
  const { tickPips, minLots, requiresApproval, bandPips, marketType } = definition;
  if (!isWithin(tickPips, 1, 1000) || PIPS_ONE % tickPips !== 0) {
    return invalid('tick_size', 'at most 1000 pips and a divisor of 10000');
  }
  if (!isLots(minLots) || minLots < 1) return invalid('min_lots', 'at least one lot');
  if (typeof requiresApproval !== 'boolean') return invalid('requires_approval', 'true or false');
  if (bandPips !== null && marketType === 'fast') {
    return invalid('price_band', 'none for a fast template');
  }
  if (bandPips !== null && !isWithin(bandPips, 1, BAND_PIPS_MAX)) {
    return invalid('price_band', 'at most 0.2');
  }
  return null;
}

/** A pool that could not be opened is refused here, so that creating a market cannot fail on it. */
function checkPool(definition: TemplateDefinition): Rejection | null {
  const { prior, minCreatorDeposit, outcomeSchema } = definition;
  const outcomes = outcomeCount(definition);
  if (prior !== null && !isPrior(prior, outcomes)) {
    return invalid('prior', 'a price of at least 100 pips per outcome, together 10000');
  }
  if (!isAmount(minCreatorDeposit)) return invalid('min_creator_deposit', 'an amount');
  if (minCreatorDeposit === 0n) {
    if (outcomeSchema !== 'multi') return null;
    return invalid('min_creator_deposit', 'a deposit, for a multi market trades through its pool');
  }
  const pool = createPool(minCreatorDeposit, outcomes, prior?.map(BigInt));
  if (pool.ok) return null;
  if (pool.reason === 'prior_invalid') return invalid('prior', 'prices of at least 100 pips');
  return invalid('min_creator_deposit', pool.reason === 'deposit_too_small' ? 'more' : 'less');
}

function isPrior(prior: readonly unknown[], outcomes: number): boolean {
  if (!Array.isArray(prior) || prior.length !== outcomes) return false;
  let sum = 0;
  for (const price of prior) {
    if (!isWithin(price, PRIOR_MIN, PIPS_ONE)) return false;
    sum += price;
  }
  return sum === PIPS_ONE;
}

function isFlat(params: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(params);
  if (names.length > SOURCE_PARAMS_MAX) return false;
  return names.every((name) => {
    const value = params[name];
    return isText(value, 0, URL_LENGTH_MAX) || Number.isFinite(value) || typeof value === 'boolean';
  });
}

function isText(value: unknown, lengthMin: number, lengthMax: number): value is string {
  if (typeof value !== 'string' || !value.isWellFormed()) return false;
  return value.length >= lengthMin && value.length <= lengthMax;
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max;
}

function isAmount(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= 0n && value <= AMOUNT_MAX;
}
