// Where journal time and wall time differ: an operator says which is right.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import { ApiError, type Reply, type RequestContext } from '../handling/handler.ts';
import type { PlatformStore } from '../ports/platform.ts';
import { publicWords } from '../wire/public-words.ts';
import { isoTime } from '../wire/times.ts';
import { act, laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type Input = InputOf<OperatorOperations['decideClock']>['body'];
type ClockState = OutputOf<OperatorOperations['decideClock']>;

export function clockActs(parts: OperatorParts): Pick<OperatorHandlers, 'decideClock'> {
  return {
    decideClock: (request, { body }) => actOnce(parts, request, () => decide(parts, request, body)),
  };
}

/** The offset between wall time and journal time that an operator has accepted: it outlives a restart. */
export async function clockOffset(platform: PlatformStore, lane: LaneName): Promise<number> {
  return Number((await platform.setting(settingOf(lane))) ?? 0);
}

/** Trading goes on once the decision is durable. */
async function decide(
  parts: OperatorParts,
  request: RequestContext,
  body: Input,
): Promise<Reply<ClockState> | ApiError> {
  const watched = laneOf(parts, body.lane);
  if (watched instanceof ApiError) return watched;
  const { lane } = watched;
  const offsetMs = lane.decideClock(body.decision);
  await parts.platform.putSetting(settingOf(body.lane), String(offsetMs));
  // Which clock is right says nothing about a halt: that is ended by whoever resumes the lane.
  const isHalted = await lane.read(({ cancelOnly }) => cancelOnly);
  const outcome = await act(lane, request, body, {
    type: 'set_read_only',
    readOnly: isHalted,
    cancelOnly: isHalted,
    reason: publicWords.clock,
  });
  if (outcome instanceof ApiError) return outcome;
  const { atMs, replayed } = outcome;
  return {
    data: {
      lane: body.lane,
      decision: body.decision,
      offset_ms: offsetMs,
      decided_at: isoTime(atMs),
      decided_at_ms: atMs,
    },
    replayed,
  };
}

function settingOf(lane: LaneName): string {
  return `clock offset ${lane}`;
}
