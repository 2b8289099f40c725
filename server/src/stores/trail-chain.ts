// The chain of the trail: how an entry is hashed, and whether all of them hold together.

import { hash } from 'node:crypto';
import type { EndedAct, TrailLink, TrailRecord, TrailStore } from '../ports/approvals.ts';
import type { Secrets } from '../ports/secrets.ts';

/** Before the first entry. */
const BEGINNING = '0'.repeat(64);
const PAGE = 500;

/** Somebody changed the trail, or took something out of it. */
class TrailBroken extends Error {
  override readonly name = 'TrailBroken';
}

/** The entry that follows the one given; null begins the chain. */
function nextEntry(last: Pick<TrailRecord, 'seq' | 'hash'> | null, act: EndedAct): TrailRecord {
  const seq = (last?.seq ?? 0) + 1;
  const previous = last?.hash ?? BEGINNING;
  return { ...act, seq, previous, hash: hashOf({ ...act, seq, previous }) };
}

/** How an act is added to the trail of the folder with these secrets. */
export function linkOf(secrets: Secrets, act: EndedAct): TrailLink {
  return (last) => {
    const entry = nextEntry(last, act);
    return { entry, seal: sealOf(secrets, entry) };
  };
}

function sealOf(secrets: Secrets, { seq, hash: hashed }: Pick<TrailRecord, 'seq' | 'hash'>) {
  return secrets.digest('operator', `trail ${seq} ${hashed}`);
}

/** How many entries there are; throws TrailBroken at the first that is not as it was written. */
export async function verifyTrail(trail: TrailStore, secrets: Secrets | null): Promise<number> {
  let last: TrailRecord | null = null;
  for (;;) {
    const page = await trail.read(last?.seq ?? 0, PAGE, EVERYTHING);
    for (const entry of page) {
      const expected: TrailRecord = nextEntry(last, entry);
      const isWhole =
        entry.seq === expected.seq &&
        entry.previous === expected.previous &&
        entry.hash === expected.hash;
      if (!isWhole) throw new TrailBroken(`the trail is not as written at entry ${expected.seq}`);
      last = entry;
    }
    if (page.length < PAGE) break;
  }
  const head = await trail.head();
  if (head === null && last === null) return 0;
  if (head === null || last === null || head.seq !== last.seq || head.hash !== last.hash) {
    throw new TrailBroken(
      `the trail ends at entry ${last?.seq ?? 0}, but ${head?.seq ?? 0} were written`,
    );
  }
  if (secrets !== null && !secrets.isEqual(head.seal, sealOf(secrets, head))) {
    throw new TrailBroken('the trail was written anew by somebody without the secrets');
  }
  return last.seq;
}

const EVERYTHING = { operatorId: null, operation: null, lane: null };

function hashOf(entry: Omit<TrailRecord, 'hash'>): string {
  const { seq, atMs, operatorId, roles, operation, lane, target, what } = entry;
  const { reason, requestId, outcome, previous } = entry;
  const fields = [seq, atMs, operatorId, roles.join(' '), operation, lane, target, what];
  return hash('sha256', JSON.stringify([...fields, reason, requestId, outcome, previous]), 'hex');
}
