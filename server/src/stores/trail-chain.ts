// The chain of the trail: how an entry is hashed, and whether all of them hold together.

import { hash } from 'node:crypto';
import type { OperatorOperations, OutputOf } from '@sibyl/contract';
import type { EndedAct, TrailLink, TrailRecord, TrailStore } from '../ports/approvals.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { Secrets } from '../ports/secrets.ts';

/** Before the first entry. */
const BEGINNING = '0'.repeat(64);
const PAGE = 500;

/** Somebody changed the trail, or took something out of it. */
export class TrailBroken extends Error {
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
  for await (const entry of everyEntry(trail)) {
    last = followed(last, entry);
  }
  const head = await trail.head();
  if (head === null && last === null) return 0;
  if (head === null || last === null || head.seq !== last.seq || head.hash !== last.hash) {
    throw new TrailBroken(
      `the trail ends at entry ${last?.seq ?? 0}, but ${head?.seq ?? 0} were written`,
    );
  }
  if (secrets !== null && !secrets.isEqual(head.seal, sealOf(secrets, head))) {
    throw new TrailBroken('the audit log was rewritten without the secrets of this folder');
  }
  return last.seq;
}

/** As above, of a store whose operators may have acted: then there is a trail. */
export async function verifyOperatorsTrail(
  store: OperatorStore,
  secrets: Secrets | null,
): Promise<number> {
  const entries = await verifyTrail(store.trail, secrets);
  if (entries === 0 && (await haveActed(store))) {
    throw new TrailBroken('the trail is empty, but operators have acted');
  }
  return entries;
}

/** The first operator comes by itself; whoever signed in and every other operator left an entry. */
async function haveActed(store: OperatorStore): Promise<boolean> {
  const all = await store.operators();
  if (all.length > 1) return true;
  const sessions = await Promise.all(all.map(({ operatorId }) => store.sessionsOf(operatorId, 0)));
  return sessions.some((those) => those.length > 0);
}

/** From the first to the last. */
export async function* everyEntry(trail: TrailStore): AsyncIterable<TrailRecord> {
  let after = 0;
  for (;;) {
    const page = await trail.read(after, PAGE, EVERYTHING);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.seq;
  }
}

/** The entry, if it is what follows the one before. */
function followed(before: TrailRecord | null, entry: TrailRecord): TrailRecord {
  const expected = nextEntry(before, entry);
  const isWhole =
    entry.seq === expected.seq &&
    entry.previous === expected.previous &&
    entry.hash === expected.hash;
  if (isWhole) return entry;
  const found = entry.seq === expected.seq ? 'it' : `entry ${entry.seq} in its place`;
  throw new TrailBroken(
    `the trail is not as written at entry ${expected.seq} (${found} is ${entry.operation} of ${entry.operatorId}, request ${entry.requestId})`,
  );
}

/**
 * The end of a trail that was exported, an entry a line; throws TrailBroken as above. Whether entries are missing at its end
 * it cannot say: whoever has the hash of a later one can.
 */
export function verifyExportedTrail(
  lines: Iterable<string>,
): Pick<TrailRecord, 'seq' | 'hash'> | null {
  let last: TrailRecord | null = null;
  let number = 0;
  for (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    last = exportedAfter(last, line, number);
  }
  return last;
}

function exportedAfter(last: TrailRecord | null, line: string, number: number): TrailRecord {
  const entry = exportedEntry(line);
  if (entry === null) {
    throw new TrailBroken(
      `line ${number} is no entry, and should be entry ${(last?.seq ?? 0) + 1}`,
    );
  }
  try {
    return followed(last, entry);
  } catch (error) {
    if (!(error instanceof TrailBroken)) throw error;
    throw new TrailBroken(`line ${number}: ${error.message}`);
  }
}

/** Null for what is no entry; whatever in one is not as it was written gives another hash. */
function exportedEntry(line: string): TrailRecord | null {
  const said = parsed(line);
  if (said === null || !Array.isArray(said.roles)) return null;
  const { acted_at_ms: atMs, operator_id: operatorId, request_id: requestId } = said;
  return { ...said, atMs, operatorId, requestId };
}

/** As the operator plane lists them. */
type ExportedEntry = OutputOf<OperatorOperations['listTrail']>[number];

function parsed(line: string): ExportedEntry | null {
  try {
    const said: unknown = JSON.parse(line);
    return typeof said === 'object' ? (said as ExportedEntry | null) : null;
  } catch {
    return null;
  }
}

const EVERYTHING = { operatorId: null, operation: null, lane: null };

function hashOf(entry: Omit<TrailRecord, 'hash'>): string {
  const { seq, atMs, operatorId, roles, operation, lane, target, what } = entry;
  const { reason, requestId, outcome, previous } = entry;
  const fields = [seq, atMs, operatorId, roles.join(' '), operation, lane, target, what];
  return hash('sha256', JSON.stringify([...fields, reason, requestId, outcome, previous]), 'hex');
}
