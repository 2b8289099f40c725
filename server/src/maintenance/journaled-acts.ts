// Acts of operators stand in two places, the trail and the journals: what one of them lost, the other still has.

import { existsSync } from 'node:fs';
import { recordsOf } from '@sibyl/lane';
import type { TrailRecord, TrailStore } from '../ports/approvals.ts';
import { laneFolder } from '../stores/open-stores.ts';
import { everyEntry, TrailBroken } from '../stores/trail-chain.ts';
import { laneNames, withLane } from './data-folder.ts';

/** Operators and the token, by a request of theirs: what else has operators for actors is of the program's own. */
const ACTOR = /^operator (?:opr_|token)/;
const REQUEST = 'req_';

/** Throws TrailBroken at the first command of an operator whose request the trail does not have. */
export async function verifyJournaledActs(dataDir: string, trail: TrailStore): Promise<void> {
  const known = new Set((await trail.begun()).map(({ requestId }) => requestId));
  let first: TrailRecord | null = null;
  for await (const entry of everyEntry(trail)) {
    first ??= entry;
    known.add(entry.requestId);
  }
  // What was done before there was a trail is in the journals alone.
  const sinceMs = first?.atMs ?? 0;
  for (const lane of laneNames) {
    const folder = laneFolder(dataDir, lane);
    if (!existsSync(folder)) continue;
    await withLane(folder, lane, async ({ journal }) => {
      for await (const commits of journal.read(1)) {
        for (const { actor, requestId, tsMs, seq } of commits.flatMap(recordsOf)) {
          if (tsMs < sinceMs || !ACTOR.test(actor) || !requestId.startsWith(REQUEST)) continue;
          if (known.has(requestId)) continue;
          throw new TrailBroken(
            `command ${seq} of ${lane} is the act ${requestId} of an operator, which the trail does not have`,
          );
        }
      }
    });
  }
}
