// Which custodies the records of live name, and why a start with another one does not go on unless that is meant.
import {
  CORRECTION,
  type DepositRecord,
  OPERATOR_CUSTODY,
  type State,
  type WithdrawalRecord,
} from '@sibyl/engine';
import type { Config } from '../settings/config.ts';
import { LOCAL_CUSTODY } from './local-custody.ts';

/** The records of money name a custody that the settings do not know. */
export class CustodyRefused extends Error {
  override readonly name = 'CustodyRefused';
}

/** Which custodies they name; what operators booked by hand and put right names none. */
export function custodiesIn(
  records: Iterable<Pick<DepositRecord | WithdrawalRecord, 'custody'>>,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { custody } of records) names.add(custody);
  names.delete(CORRECTION);
  names.delete(OPERATOR_CUSTODY);
  return names;
}

export function custodiesOf({ funds }: Pick<State, 'funds'>): ReadonlySet<string> {
  return custodiesIn([...funds.deposits(), ...funds.withdrawals()]);
}

/** What is wrong with these settings beside such records, and what to do; null if nothing is. */
export function custodyFault(
  known: ReadonlySet<string>,
  { custody, custodiesBefore }: Pick<Config, 'custody' | 'custodiesBefore'>,
): string | null {
  const configured = custody?.name ?? LOCAL_CUSTODY;
  const others = [...known].filter((name) => name !== configured);
  const unsaid = others.filter((name) => !custodiesBefore.includes(name));
  if (unsaid.length === 0) return null;
  const names = unsaid.join(' and ');
  const here = custody === null ? `${LOCAL_CUSTODY}, the till of this server` : configured;
  const back = unsaid.includes(LOCAL_CUSTODY)
    ? 'leave out CUSTODY_URL to go on with the till'
    : `set CUSTODY_URL, CUSTODY_NAME=${unsaid[0]} and CUSTODY_SECRET as they were`;
  const meant = `if the money has moved, set CUSTODY_WAS=${others.join(',')}`;
  return `the custody of the live lane's money was ${names}, and the settings say ${here}: ${back}, or, ${meant} (docs/CUSTODY.md, "Moving from one custody to another")`;
}
