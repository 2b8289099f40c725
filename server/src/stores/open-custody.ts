// Who keeps the money of the live lane: a service outside, as the settings say.
import { systemClock } from '@sibyl/lane';
import { HttpCustody } from '../adapters/node/http-custody.ts';
import type { Config } from '../settings/config.ts';

/** Withdrawals carry the name of their custody for good: without a service they wait for one of this name. */
export const LOCAL_CUSTODY = 'local';

export function openCustody({ custody }: Config): HttpCustody | null {
  if (custody === null) return null;
  return new HttpCustody({ ...custody, wallMs: () => systemClock.wallMs() });
}
