// Who keeps the money of the live lane: a service outside as the settings say, else a till of this server's own.
import { type Lane, systemClock } from '@sibyl/lane';
import { HttpCustody } from '../adapters/node/http-custody.ts';
import { LocalCustody } from '../custody/local-custody.ts';
import type { Log } from '../gateway/log.ts';
import type { Custody } from '../ports/custody.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Config } from '../settings/config.ts';

export interface CustodyParts {
  readonly platform: Pick<PlatformStore, 'till'>;
  /** Undefined where no live lane is run. */
  readonly live: Pick<Lane, 'read'> | undefined;
  readonly log: Pick<Log, 'write'>;
}

export async function openCustody(
  { custody }: Pick<Config, 'custody'>,
  { platform, live, log }: CustodyParts,
): Promise<Custody & { close?(): Promise<void> }> {
  if (custody !== null) return new HttpCustody({ ...custody, wallMs: () => systemClock.wallMs() });
  const local = new LocalCustody({
    till: platform.till,
    clock: systemClock,
    paid: ({ payoutId }) =>
      log.write('info', 'a withdrawal was entered in the till', { reason: payoutId }),
  });
  const held = await live?.read(({ ledger, contra }) => -ledger.balance(contra));
  if (held !== undefined) await local.begin(held);
  return local;
}
