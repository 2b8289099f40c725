// As whom the caller earns: creator and referrer by its accounts, builder by its apps.
import { ownAccount, type RequestContext } from '../../handling/handler.ts';
import type { AppOwners } from '../../ports/app-owners.ts';

export interface Earner {
  readonly role: 'creator' | 'builder' | 'referrer';
  /** The account of a creator or a referrer, the app of a builder. */
  readonly id: string;
  /** By which history knows it. */
  readonly name: string;
}

/** With those of subaccounts that are closed by now: what they earned is their owner's. */
export async function ownEarners(owners: AppOwners, request: RequestContext): Promise<Earner[]> {
  const own = ownAccount(request);
  const accounts = await request.lane.read((state) => {
    const account = state.accounts.get(own);
    if (account === undefined || account.parentId !== null) return [own];
    return [...account.family.members, ...account.family.closed].map(({ id }) => id);
  });
  const earners = accounts.flatMap((id) => [earner('creator', id), earner('referrer', id)]);
  return [...earners, ...(await ownApps(owners, request))];
}

/** Somebody without a name has no apps, and a key of one subaccount sees none. */
export async function ownApps(owners: AppOwners, request: RequestContext): Promise<Earner[]> {
  const userId = request.credential?.userId ?? null;
  if (userId === null || ownAccount(request).startsWith('sub_')) return [];
  return (await owners.appsOf(userId)).map((id) => earner('builder', id));
}

/** The caller as the builder of what its own keys ordered. */
export function ownKeys(request: RequestContext): Earner[] {
  const userId = request.credential?.userId ?? null;
  if (userId === null || ownAccount(request).startsWith('sub_')) return [];
  return [earner('builder', userId)];
}

function earner(role: Earner['role'], id: string): Earner {
  return { role, id, name: `${role}:${id}` };
}
