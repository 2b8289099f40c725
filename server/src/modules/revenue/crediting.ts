// Crediting: once a day, after midnight UTC, all fees that have vested go to those who earned them.
import { createHash } from 'node:crypto';
import {
  type AccountId,
  asAccountId,
  CREDITS_MAX,
  type FeeCredit,
  type State,
  type VestedFee,
  vestedFees,
} from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import type { Job } from '../../handling/job.ts';
import type { AppOwners } from '../../ports/app-owners.ts';
import type { PlatformStore } from '../../ports/platform.ts';

export interface CreditingParts {
  readonly platform: Pick<PlatformStore, 'setting' | 'putSetting'>;
  readonly lane: Pick<Lane, 'name' | 'read' | 'submit'>;
  readonly owners: AppOwners;
  readonly clock: Clock;
  /** Credits of one command; as many as the engine takes unless told. */
  readonly creditsMax?: number;
  readonly notify?: (message: string) => void;
}

const DAY_MS = 86_400_000;

/**
 * Sends the credits of a day, and says how many. A credit pays all that is vested by then, so whoever is cut off in the middle
 * begins anew: what was paid is not vested any more.
 */
export async function creditDay(parts: CreditingParts, day: number): Promise<number> {
  const { lane, creditsMax = CREDITS_MAX } = parts;
  const credits = await creditsOf(parts);
  for (let from = 0; from < credits.length; from += creditsMax) {
    const batch = credits.slice(from, from + creditsMax);
    const bodyHash = createHash('sha256').update(JSON.stringify(batch)).digest('hex');
    const { answer } = await lane.submit({
      body: { type: 'credit_fees', credits: batch },
      actor: { kind: 'system' },
      // The same batch sent again on the same day is answered and not done again.
      key: { scope: 'system revenue', key: `${day}-${bodyHash}`, bodyHash },
      requestId: 'revenue',
    });
    if (!answer.ok) throw new Error(`fees were not credited: ${answer.rejection.code}`);
  }
  return credits.length;
}

/** At the start it makes up for a midnight that passed while the server was down. */
export function feeCrediting(parts: CreditingParts): Job {
  const { platform, clock, lane } = parts;
  const done = `revenue.day.${lane.name}`;
  const run = async (): Promise<void> => {
    const day = Math.floor(clock.wallMs() / DAY_MS);
    if (Number((await platform.setting(done)) ?? -1) >= day) return;
    const credited = await creditDay(parts, day);
    await platform.putSetting(done, String(day));
    if (credited > 0) parts.notify?.(`${credited} shares of fees were credited in ${lane.name}`);
  };
  return { name: 'fee_crediting', lane: lane.name, schedule: { daily: true }, once: true, run };
}

/** What waits for nobody who could be paid is left out: it is looked at again the next day. */
async function creditsOf({ lane, owners }: CreditingParts): Promise<readonly FeeCredit[]> {
  const waiting = await lane.read((state) =>
    vestedFees(state).map((fee) => ({ ...fee, accountId: earnerOf(state, fee) })),
  );
  const credits: FeeCredit[] = [];
  for (const { actor, id, accountId: earner } of waiting) {
    const accountId = actor === 'builder' ? await owners.ownerOf(id, lane.name) : earner;
    if (accountId !== null) credits.push({ actor, id, accountId: asAccountId(accountId) });
  }
  return credits;
}

/** What a subaccount earned that is closed by now is its owner's; null for an account that is gone, and for an app. */
function earnerOf(state: State, { actor, id }: VestedFee): AccountId | null {
  const account = actor === 'builder' ? undefined : state.accounts.get(asAccountId(id));
  if (account === undefined) return null;
  return account.closedAtMs === null ? account.id : account.family.owner.id;
}
