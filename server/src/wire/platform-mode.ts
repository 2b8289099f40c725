// The mode of a lane as clients are told of it.
import type { Lane } from '@sibyl/lane';

export type PlatformMode = 'normal' | 'read_only' | 'cancel_only';

/** As an operator set it, or the lane itself. */
export function platformModeOf(readOnly: boolean, cancelOnly: boolean): PlatformMode {
  if (cancelOnly) return 'cancel_only';
  return readOnly ? 'read_only' : 'normal';
}

type LaneStatus = ReturnType<Lane['status']>;

/** The mode in force: a lane that takes no orders, or is under maintenance, is at least read-only. */
export function modeInForce(
  { state, clockDifferenceMs }: Pick<LaneStatus, 'state' | 'clockDifferenceMs'>,
  set: PlatformMode,
  isMaintained: boolean,
): PlatformMode {
  const isOpen = state === 'running' && clockDifferenceMs === null && !isMaintained;
  return isOpen || set !== 'normal' ? set : 'read_only';
}
