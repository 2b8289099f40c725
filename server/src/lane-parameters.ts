// The parameters that a new lane begins with: the engine's own, and a secret of this data folder.
import { DEFAULT_PARAMETERS, type LaneName, type Parameters } from '@sibyl/engine';
import type { Secrets } from './ports/secrets.ts';

/** Who knew the secret would know when makers are looked at; it follows from the folder's own, so it is never lost alone. */
export function laneParameters(secrets: Secrets, lane: LaneName): Parameters {
  const lookSecret = secrets.digest('looks', lane);
  const quality = { ...DEFAULT_PARAMETERS.quality, lookSecret };
  if (lane === 'live') return { ...DEFAULT_PARAMETERS, quality };
  // In the sandbox cancellations need no notice, and markets without a proposal do not stay locked.
  const resolution = { ...DEFAULT_PARAMETERS.resolution, voidNoticeMs: 0, autoVoid: true };
  return { ...DEFAULT_PARAMETERS, quality, resolution };
}
