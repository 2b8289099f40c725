// Compliance of a running server: its rules, and whoever watches trades by them.

import { ComplianceOffice, type OfficeParts } from './compliance/office.ts';
import { WashWatch, type WatchParts } from './compliance/wash-watch.ts';
import type { Parts } from './parts.ts';

interface Complied {
  readonly office: ComplianceOffice;
  /** The same, as the gateway asks it. */
  readonly screening: ComplianceOffice;
}

/** What was given, and compliance beside it. */
export async function withCompliance<Given extends OfficeParts & Pick<WatchParts, 'log'>>(
  given: Given,
  parts: Parts,
): Promise<Given & Complied> {
  const office = await ComplianceOffice.open(given);
  for (const lane of Object.values(given.lanes)) {
    const watch = new WashWatch({ ...given, office, lane });
    parts.add(watch, async (started) => started.stop());
  }
  return { ...given, office, screening: office };
}
