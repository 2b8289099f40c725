// How long everybody may object to an answer before it is final: never too short in live, and shown to whoever decides.
import type { Market, State, TemplateDefinition } from '@sibyl/engine';
import { type ApiError, fail, type LaneName } from '../handling/handler.ts';

const MS_PER_SEC = 1000;

/** Of an answer that an operator proposes. */
export function windowSecOf({ parameters }: State, { template }: Market): number {
  const { challengeSec } = template.definition.oracleConfig;
  return challengeSec ?? parameters.resolution.challengeMs / MS_PER_SEC;
}

/** Null if the template leaves enough time. Rounds whose answer a source gives by itself last minutes, and may leave none. */
export function templateFault(
  lane: LaneName,
  { oracleConfig, roundConfig }: TemplateDefinition,
  minSec: number,
): ApiError | null {
  const { source, challengeSec } = oracleConfig;
  const isRound = roundConfig !== null && source !== 'manual';
  // What the template leaves open is a parameter of the lane, which is held to the same.
  if (lane !== 'live' || isRound || challengeSec === null || challengeSec >= minSec) return null;
  return tooShort('oracle_config.challenge_sec', `at least ${minSec}`, minSec);
}

/** Null if the change leaves enough time to whatever template has no window of its own. */
export function parameterFault(
  lane: LaneName,
  part: string,
  values: Readonly<Record<string, unknown>>,
  minSec: number,
): ApiError | null {
  const wanted = values.challengeMs;
  const least = minSec * MS_PER_SEC;
  const isConcerned = lane === 'live' && part === 'resolution' && typeof wanted === 'number';
  if (!isConcerned || wanted >= least) return null;
  return tooShort('values.challenge_ms', `at least ${least}`, minSec);
}

/**
 * Null if an operator may give the answer. A round that leaves no time to object is for the answer of its source, which
 * everybody sees; one by hand would be final at once.
 */
export function proposalFault(
  lane: LaneName,
  state: State,
  market: Market,
  minSec: number,
): ApiError | null {
  const challengeSec = windowSecOf(state, market);
  if (lane !== 'live' || challengeSec >= minSec) return null;
  const details = { market_id: market.id, status: market.status, challenge_sec: challengeSec };
  const message = `Nobody could object for ${minSec} seconds (CHALLENGE_MIN_MINUTES) to an answer by hand: such a round is answered by its source, or cancelled.`;
  return fail('STATE_CONFLICT', details, message);
}

function tooShort(field: string, expected: string, minSec: number): ApiError {
  const message = `In live everybody can object to an answer for at least ${minSec} seconds (CHALLENGE_MIN_MINUTES).`;
  return fail('VALIDATION_FAILED', { field, expected }, message);
}
