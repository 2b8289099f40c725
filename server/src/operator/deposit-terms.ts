// A reference that is used again for something else: what was kept under it and what is sent now, as far as they differ.

import type { DepositRecord } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { type ApiError, fail } from '../handling/handler.ts';
import { amountText } from '../wire/amounts.ts';

type Sent = Pick<DepositRecord, 'accountId' | 'amount' | 'custody' | 'reference'>;

/** After the lane has refused it as ALREADY_EXISTS; `field` is what the caller calls the reference. */
export async function otherTerms(
  lane: Pick<Lane, 'read'>,
  sent: Sent,
  field: string,
): Promise<ApiError> {
  const { custody, reference } = sent;
  const known = await lane.read(({ funds }) => funds.depositBy(custody, reference));
  if (known === undefined) return fail('ALREADY_EXISTS', { field });
  const [kept, told] = [termsOf(known), termsOf(sent)];
  const names = Object.keys(kept).filter((name) => kept[name] !== told[name]);
  const only = (terms: Terms) => Object.fromEntries(names.map((name) => [name, terms[name]]));
  const details = { field, deposit_id: known.depositId, stored: only(kept), sent: only(told) };
  const words = names.map((name) => `${name} ${kept[name]}, not ${told[name]}`).join('; ');
  return fail('ALREADY_EXISTS', details, `${reference} is known with other terms: ${words}.`);
}

type Terms = Readonly<Record<string, string>>;

function termsOf({ accountId, amount }: Pick<DepositRecord, 'accountId' | 'amount'>): Terms {
  return { account_id: accountId, amount: amountText(amount) };
}
