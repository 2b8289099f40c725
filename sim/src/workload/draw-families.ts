// What owners do with their subaccounts: open, name, fund, empty, freeze and close them, now and then wrongly.
import type { Prng } from '../prng.ts';
import type { Body } from './draw-lifecycle.ts';
import type { KnownAccount, View } from './view.ts';

const LABELS = ['grid', 'hedge', 'Nachts', 'a b', 'sub_1'] as const;
const BAD_LABELS = ['', ' x', 'x ', 'a\u0007b', 'y'.repeat(65), '\u0085', 'z'.repeat(64)] as const;
const PREFIX = 'sub_own';

/** Whether an owner opened it in this workload. */
export function isOwnersMaking(accountId: string): boolean {
  return accountId.startsWith(PREFIX);
}

export function drawFamilyCommand(random: Prng, view: View): Body {
  const owners = view.accounts.filter(({ parentId }) => parentId === null);
  const subaccounts = view.accounts.filter(({ parentId }) => parentId !== null);
  const own = subaccounts.filter(({ id }) => isOwnersMaking(id));
  const kind = random.weighted([
    [own.length < 12 ? 6 : 1, 'open'],
    [own.length > 0 ? 4 : 0, 'fund'],
    [own.length > 0 ? 4 : 0, 'empty'],
    [subaccounts.length > 0 ? 3 : 0, 'change'],
    [own.length > 0 ? 6 : 0, 'close'],
  ] as const);
  if (kind === 'open') return opening(random, random.pick(owners));
  if (kind === 'fund' || kind === 'empty') return moving(random, view, random.pick(own), kind);
  if (kind === 'close') {
    const free = own.filter(({ id }) => view.free(id) === 0n);
    const accountId = random.pick(free.length > 0 ? free : own).id;
    return { type: 'change_subaccount', accountId, label: null, status: 'closed' };
  }
  const { id: accountId } = random.pick(random.chance(1, 10) ? view.accounts : subaccounts);
  return {
    type: 'change_subaccount',
    accountId,
    label: random.chance(1, 2) ? label(random) : null,
    status: random.pick([null, 'active', 'frozen', 'frozen', 'closed'] as const),
  };
}

function opening(random: Prng, owner: KnownAccount): Body {
  return {
    type: 'open_subaccount',
    accountId: owner.id,
    subaccountId: random.chance(1, 15) ? 'acc_own' : `${PREFIX}${random.between(1, 400)}`,
    label: label(random),
  };
}

/** From the owner, or all of it back to the owner. */
function moving(random: Prng, view: View, account: KnownAccount, kind: 'fund' | 'empty'): Body {
  const ownerId = account.parentId ?? account.id;
  if (kind === 'fund') {
    const amount = BigInt(random.between(1, 200_000_000));
    return { type: 'transfer', fromId: ownerId, toId: account.id, amount };
  }
  const all = view.free(account.id);
  return { type: 'transfer', fromId: account.id, toId: ownerId, amount: all > 0n ? all : 1n };
}

function label(random: Prng): string {
  return random.pick(random.chance(1, 8) ? BAD_LABELS : LABELS);
}
