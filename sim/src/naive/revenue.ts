// Fees that have vested are paid: to those who earned them, and by operators to whom they name.
import { checkAccount } from './authority.ts';
import { Entry } from './entry.ts';
import { checkPositive } from './funds.ts';
import type { CommandOf, EventOf, PlainAnswer } from './plain.ts';
import { accepted, DONE, Refusals } from './refusal.ts';
import { balance, findAccount, freeName, isFrozen, type World } from './world.ts';

type Credit = CommandOf<'credit_fees'>['credits'][number];

function creditFees(world: World, command: CommandOf<'credit_fees'>): PlainAnswer {
  const { credits } = command;
  const refusals = new Refusals(world);
  if (credits.length < 1 || credits.length > 5_000) refusals.field('credits', '1 to 5000');
  const isWhole = ({ actor, id, accountId }: Credit): boolean =>
    ['creator', 'builder', 'referrer'].includes(actor) && isName(id) && isName(accountId);
  if (!credits.every(isWhole)) refusals.field('credits', 'an actor, an id and an account');
  if (command.actor.kind === 'account') refusals.add('NOT_FOUND');
  if (refusals.any) return refusals.answer();
  for (const credit of credits) {
    const key = `${credit.actor}:${credit.id}`;
    const amount = balance(world, `fees:${key}`);
    if (amount > 0n && mayBePaid(world, credit)) pay(world, credit, amount, `fees:${key}`, key);
  }
  return DONE;
}

function payPlatformFees(world: World, command: CommandOf<'pay_platform_fees'>): PlainAnswer {
  const { fund, accountId, amount, reference } = command;
  const refusals = new Refusals(world);
  if (fund !== 'treasury' && fund !== 'insurance') refusals.field('fund', 'treasury or insurance');
  checkPositive(amount, refusals);
  if (reference.length < 1 || reference.length > 128) refusals.field('reference', 'a reference');
  if (command.actor.kind !== 'operator') refusals.add('NOT_FOUND');
  checkAccount(world, command.actor, accountId, refusals);
  const name = fund === 'insurance' ? 'insurance' : 'fees:treasury';
  const free = balance(world, name);
  if (free < amount) refusals.add('BALANCE_INSUFFICIENT', { required: amount, free, reserved: 0n });
  if (refusals.any) return refusals.answer();
  pay(world, { actor: fund, id: '', accountId }, amount, name, reference);
  return accepted({ kind: 'amount', accountId, amount });
}

/** What is a creator's or a referrer's goes to its account or to its owner's, and nowhere while that is held. */
function mayBePaid(world: World, { actor, id, accountId }: Credit): boolean {
  const account = findAccount(world, accountId);
  if (account === undefined || isFrozen(world, account)) return false;
  if (actor === 'builder') return true;
  const earner = [...world.accounts, ...world.closedAccounts].find((each) => each.id === id);
  return earner !== undefined && [earner.id, earner.parentId].includes(accountId);
}

function pay(
  world: World,
  { actor, id, accountId }: Pick<EventOf<'fees_credited'>, 'actor' | 'id' | 'accountId'>,
  amount: bigint,
  from: string,
  reference: string,
): void {
  world.events.push({ type: 'fees_credited', accountId, actor, id, amount });
  new Entry(world).move(from, freeName(accountId), amount).commit('revenue', reference);
}

const isName = (text: unknown): boolean =>
  typeof text === 'string' && text.length >= 1 && text.length <= 64;

export const REVENUE_COMMANDS = {
  credit_fees: creditFees,
  pay_platform_fees: payPlatformFees,
};
