// Partners of the suite: keys that act on behalf of others, and what the owner has delegated to each of them.
import { newcomer } from './enrolled.ts';
import { verdictOf } from './judge.ts';
import type { Scene } from './scene.ts';
import { operationOf, type World } from './world.ts';

interface Partner {
  readonly key: string;
  readonly userId: string;
}

const REASON = { reason: 'conformance' };

/** Of tier partner in the sandbox, without scopes yet. */
export async function partnerKey(world: World): Promise<Partner> {
  const { session, userId } = await newcomer(world);
  const key = await world.mint(session, ['read', 'trade']);
  const params = { key_id: key.slice(0, 24) };
  await world.data('setKeyTier', { params, body: { ...REASON, tier: 'partner' } });
  return { key, userId };
}

async function partner(world: World): Promise<Partner> {
  const made = await partnerKey(world);
  const params = { key_id: made.key.slice(0, 24) };
  const body = { ...REASON, partner_scopes: ['delegation:trade'] };
  await world.data('setPartnerScopes', { params, body });
  return made;
}

/** What the owner has allowed the partner, if anything. */
export type Held = 'nothing' | 'reading' | 'converting' | 'little' | 'modest' | 'over';

const partners = new WeakMap<Scene, Map<Held, Promise<string>>>();

/** The key of the partner; one for all requests of the suite. */
export function keyOfPartner(scene: Scene, held: Held): Promise<string> {
  const made = partners.get(scene) ?? new Map<Held, Promise<string>>();
  partners.set(scene, made);
  const known = made.get(held) ?? makePartner(scene, held);
  made.set(held, known);
  return known;
}

const HOUR_MS = 3_600_000;
/** Long enough to be given, short enough to be waited for. */
const SOON_MS = 5_000;
const SCOPES: Readonly<Partial<Record<Held, readonly string[]>>> = {
  reading: ['account:read'],
  converting: ['positions:convert'],
};
const CAPS: Readonly<Partial<Record<Held, string>>> = { little: '0.000001', modest: '1' };
const ALL = ['account:read', 'orders:trade', 'positions:convert'];

async function makePartner({ world, owner }: Scene, held: Held): Promise<string> {
  const { key, userId } = await partner(world);
  if (held === 'nothing') return key;
  await world.data('stepUp', { token: owner.session, body: { password: owner.password } });
  await world.data('createGrant', {
    token: owner.session,
    body: {
      ...{ kind: 'delegation', partner_id: userId },
      scopes: SCOPES[held] ?? ALL,
      expires_at_ms: Date.now() + (held === 'over' ? SOON_MS : HOUR_MS),
      ...(held in CAPS && { daily_cap: CAPS[held] }),
    },
  });
  if (held === 'over') await ended(world, key, owner.accountId);
  return key;
}

/** The suite's server goes by the clock of the machine. */
async function ended(world: World, token: string, accountId: string): Promise<void> {
  const query = { on_behalf_of: accountId };
  for (;;) {
    const answer = await world.send(operationOf('getBalance'), { token, query });
    if (verdictOf(answer) === 'DELEGATION_EXPIRED') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
