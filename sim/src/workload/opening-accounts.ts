// Who is there before the first draw: traders, some of them bots, and a few subaccounts, each with money.
import type { Body } from './draw-lifecycle.ts';

const MICRO = 1_000_000n;
const TRADERS = 12;
const BOTS = 4;

export function openingAccounts(lane: 'live' | 'sandbox'): readonly Body[] {
  const bodies: Body[] = [deposit('acc_platform', 500_000n * MICRO, 'seed')];
  const open = (
    accountId: string,
    parentId: string | null,
    referrerId: string | null,
    isBot = false,
  ): void => {
    const mode = isBot && lane === 'sandbox' ? 'bot' : lane;
    bodies.push({ type: 'open_account', accountId, mode, parentId, referrerId });
    bodies.push(deposit(accountId, 100_000n * MICRO, `seed_${accountId}`));
  };
  for (let index = 1; index <= TRADERS; index += 1) {
    open(`acc_${index}`, null, index % 3 === 0 ? 'acc_1' : null, index > TRADERS - BOTS);
  }
  open('sub_1', 'acc_2', null);
  open('sub_2', 'acc_2', 'acc_3');
  open('sub_3', 'acc_4', 'acc_4');
  return bodies;
}

function deposit(accountId: string, amount: bigint, reference: string): Body {
  return { type: 'deposit', accountId, amount, reference };
}
