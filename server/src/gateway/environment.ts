// Which lane a request reaches: a pure function of the address, the credential and the lanes that this server runs.
import type {
  Credential,
  LaneName,
  OwnCredential,
  SessionCredential,
} from '../handling/handler.ts';

export type LanesRun = 'live' | 'sandbox' | 'both';

/** Of the lanes that this server has. */
export function lanesRunOf(lanes: Readonly<Partial<Record<LaneName, unknown>>>): LanesRun {
  if (lanes.live === undefined) return 'sandbox';
  return lanes.sandbox === undefined ? 'live' : 'both';
}

export type Environment =
  | { readonly ok: true; readonly lane: LaneName; readonly execution: 'hybrid' | 'mid' }
  /** WRONG_ENV_KEY: the credential belongs to one environment, the request asked for the other. */
  | { readonly ok: false; readonly credential: LaneName; readonly requested: LaneName };

export function resolveEnvironment(
  lanes: LanesRun,
  address: LaneName,
  credential: Credential | null,
): Environment {
  if (credential?.kind === 'token') return reachWithToken(lanes, address, credential.lane);
  if (lanes !== 'both') return oneLane(lanes, credential);
  if (credential?.kind !== 'key') return reachByHand(address, credential);
  if (credential.mintedAt === 'sandbox') {
    return address === 'sandbox' ? reach('sandbox') : refuse('sandbox', 'live');
  }
  if (credential.tier === 'self_serve') return SIMULATED;
  if (address === 'live') return reach('live');
  // Graduated: the sandbox account of the key stays what it was.
  return credential.bornSelfServe ? SIMULATED : refuse('live', 'sandbox');
}

/** A token reaches the lane of its grant; one for real money is not taken for one for play money, or the other way about. */
function reachWithToken(lanes: LanesRun, address: LaneName, lane: LaneName): Environment {
  if (lanes !== 'both') return lane === lanes ? reach(lane) : refuse(lane, lanes);
  // As with a self_serve key, the plain address leads to the sandbox as well.
  return lane === 'live' && address === 'sandbox' ? refuse('live', 'sandbox') : reach(lane);
}

/** With one lane every address leads to it, and a key of the other has nothing to reach. */
function oneLane(lane: LaneName, credential: OwnCredential | null): Environment {
  if (credential?.kind !== 'key') return reachByHand(lane, credential);
  const belongs = keyLane(credential.mintedAt, credential.tier);
  if (lane === 'live') return belongs === 'live' ? reach('live') : refuse(belongs, 'live');
  if (credential.mintedAt === 'sandbox') return reach('sandbox');
  if (credential.bornSelfServe || belongs === 'sandbox') return SIMULATED;
  return refuse('live', 'sandbox');
}

/** Strangers and people at the page reach what they address; a demo account is in the sandbox only. */
function reachByHand(lane: LaneName, session: SessionCredential | null): Environment {
  return session?.isDemo === true && lane === 'live' ? refuse('sandbox', 'live') : reach(lane);
}

function keyLane(mintedAt: LaneName, tier: string): LaneName {
  return mintedAt === 'sandbox' || tier === 'self_serve' ? 'sandbox' : 'live';
}

const LIVE: Environment = Object.freeze({ ok: true, lane: 'live', execution: 'hybrid' });
const SANDBOX: Environment = Object.freeze({ ok: true, lane: 'sandbox', execution: 'hybrid' });
const SIMULATED: Environment = Object.freeze({ ok: true, lane: 'sandbox', execution: 'mid' });

function reach(lane: LaneName): Environment {
  return lane === 'live' ? LIVE : SANDBOX;
}

function refuse(credential: LaneName, requested: LaneName): Environment {
  return { ok: false, credential, requested };
}
