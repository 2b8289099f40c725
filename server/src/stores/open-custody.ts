// Who keeps the money of the live lane: a service outside as the settings say, else a till of this server's own.
import { type Lane, systemClock } from '@sibyl/lane';
import { HttpCustody } from '../adapters/node/http-custody.ts';
import { CustodyRefused, custodiesOf, custodyFault } from '../custody/custody-change.ts';
import { CustodyWatch } from '../custody/custody-watch.ts';
import { LocalCustody } from '../custody/local-custody.ts';
import { payoutCommands, withdrawalOf } from '../custody/payout.ts';
import type { Log } from '../gateway/log.ts';
import type { Custody, Payout } from '../ports/custody.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Config } from '../settings/config.ts';
import { amountText } from '../wire/amounts.ts';
import { CUSTODY_OUTAGE, outagesInto } from './outages-into.ts';

export interface CustodyParts {
  readonly platform: Pick<PlatformStore, 'till'>;
  /** Undefined where no live lane is run. */
  readonly live: Pick<Lane, 'read'> | undefined;
  readonly log: Pick<Log, 'write'>;
  /** Told of each payout that waits to be made by hand, beside the log. */
  readonly payoutDue?: (payout: Payout) => void;
}

export interface OpenCustody {
  readonly custody: Custody;
  readonly custodyWatch: CustodyWatch;
  close(): Promise<void>;
}

const ASK_EVERY_MS = 60_000;

/** Asked and watched until it is closed. */
export async function openCustody(
  config: Pick<Config, 'custody' | 'custodiesBefore'>,
  parts: CustodyParts,
): Promise<OpenCustody> {
  const { live, log } = parts;
  const known = (await live?.read(custodiesOf)) ?? new Set();
  const fault = custodyFault(known, config);
  if (fault !== null) throw new CustodyRefused(fault);
  const { custody: settings } = config;
  const service = settings === null ? null : openService(settings);
  const custodyWatch = new CustodyWatch({
    clock: systemClock,
    // A till of our own is asked by whoever needs it: it is away only where all of the platform is.
    askEveryMs: service === null || live === undefined ? null : ASK_EVERY_MS,
    ...outagesInto(log, CUSTODY_OUTAGE),
  });
  const custody = service ?? (await openTill(parts));
  return {
    custody: custodyWatch.over(custody),
    custodyWatch,
    async close() {
      await custodyWatch.close();
      await service?.close();
    },
  };
}

function openService(settings: NonNullable<Config['custody']>): HttpCustody {
  return new HttpCustody({ ...settings, wallMs: () => systemClock.wallMs() });
}

async function openTill({ platform, live, log, payoutDue }: CustodyParts): Promise<LocalCustody> {
  const local = new LocalCustody({
    till: platform.till,
    clock: systemClock,
    due: (payout) => {
      const withdrawalId = withdrawalOf(payout);
      const what = `${amountText(payout.amount)} USDT`;
      const [take, paid] = payoutCommands(withdrawalId);
      const reason = `first ${take}, then pay it, then ${paid}`;
      log.write('warn', 'a withdrawal is to be paid by hand', { lane: 'live', what, reason });
      payoutDue?.(payout);
    },
  });
  const held = await live?.read(({ ledger, contra }) => -ledger.balance(contra));
  if (held !== undefined) await local.begin(held);
  return local;
}
