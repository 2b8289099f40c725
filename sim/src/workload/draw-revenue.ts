// Grants, and the payment of fees that have vested, drawn at random: in time and too late, to the right accounts and to others.
import type { CommandOf } from '../naive/plain.ts';
import type { Prng } from '../prng.ts';
import type { Body } from './draw-lifecycle.ts';
import type { View } from './view.ts';

type Grant = CommandOf<'place_order'>['grant'];
type Cancel = Extract<Body, { type: 'cancel_order' }>;
type Credit = CommandOf<'credit_fees'>['credits'][number];

/** Under a grant of the account, or of one that somebody of its family gave. */
export function drawGrant(random: Prng, view: View, accountId: string): Grant {
  if (!random.chance(1, 7)) return null;
  return {
    grantId: grantOf(random.chance(1, 5) ? 'acc_2' : accountId),
    dayMax: random.pick([null, 20_000_000n, 300_000_000n, 5_000_000_000n]),
    expiresAtMs: view.nowMs + random.pick([0, 1, 60_000, 60_000, 86_400_000, 86_400_000]),
  };
}

export const grantOf = (accountId: string): string => `grt_${accountId}`;

/** Now and then only if the order was placed under the account's grant. */
export function drawCancel(random: Prng, accountId: string, orderId: number): Cancel {
  const ofGrant = random.chance(1, 4) && { grantId: grantOf(accountId) };
  return { type: 'cancel_order', accountId, orderId, ...ofGrant };
}

export function drawRevenue(random: Prng, view: View): Body {
  if (random.chance(3, 4)) return { type: 'credit_fees', credits: drawCredits(random, view) };
  const fund = random.pick(['treasury', 'insurance'] as const);
  const held = view.balances.get(fund === 'insurance' ? fund : 'fees:treasury') ?? 0n;
  const part = BigInt(random.between(1, 9));
  return {
    type: 'pay_platform_fees',
    fund,
    accountId: random.pick(view.accounts).id,
    amount: random.chance(1, 6) ? held + 1n : (held * part) / 10n,
    reference: `payment_${random.between(1, 50)}`,
  };
}

/** Mostly of those for whom something is vested; one comes twice now and then, and one is nobody's. */
function drawCredits(random: Prng, view: View): Credit[] {
  const vested = [...view.balances].filter(([name, amount]) => EARNED.test(name) && amount > 0n);
  const credits: Credit[] = [];
  for (let index = random.between(1, 5); index > 0; index -= 1) {
    const name = vested.length > 0 ? random.pick(vested)[0] : 'fees:creator:acc_1';
    const [, actor = '', id = ''] = EARNED.exec(name) ?? [];
    credits.push({
      actor: actor as Credit['actor'],
      id,
      accountId: payee(random, view, actor, id),
    });
  }
  if (random.chance(1, 6)) credits.push(...credits.slice(0, 1));
  return credits;
}

const EARNED = /^fees:(creator|builder|referrer):(.+)$/;

function payee(random: Prng, view: View, actor: string, id: string): string {
  if (actor === 'builder' || random.chance(1, 8)) return random.pick(view.accounts).id;
  const parentId = view.accounts.find((each) => each.id === id)?.parentId ?? null;
  return parentId !== null && random.chance(1, 2) ? parentId : id;
}
