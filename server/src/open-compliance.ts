// Compliance of a running server: its rules, and whoever watches trades and open orders by them.

import { BlockedOrders, type BlockedParts } from './compliance/blocked-orders.ts';
import { ComplianceOffice, type OfficeParts } from './compliance/office.ts';
import { WashWatch } from './compliance/wash-watch.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Parts } from './parts.ts';

interface GivenParts extends OfficeParts, Pick<BlockedParts, 'log'> {
  readonly jobs: Jobs;
}

const JUDGE_EVERY_MS = 5_000;

interface Complied {
  readonly office: ComplianceOffice;
  /** The same, as the gateway asks it. */
  readonly screening: ComplianceOffice;
}

/** What was given, and compliance beside it. */
export async function withCompliance<Given extends GivenParts>(
  given: Given,
  parts: Parts,
): Promise<Given & Complied> {
  const office = await ComplianceOffice.open(given);
  for (const lane of Object.values(given.lanes)) {
    const watch = new WashWatch({ ...given, office, lane });
    parts.add(watch, async (started) => started.stop());
    given.jobs.add({
      name: 'wash_trading',
      lane: lane.name,
      schedule: { everyMs: JUDGE_EVERY_MS },
      once: false,
      run: () => watch.judge(),
    });
  }
  const blocked = parts.add(new BlockedOrders({ ...given, office }), (started) => started.stop());
  // Nobody is let in before: else he could still trade with orders that a crash left behind.
  await blocked.settled();
  return { ...given, office, screening: office };
}
