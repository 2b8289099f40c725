// The form of what proposals and disputes carry: evidence and bonds.
import { BALANCE_MAX } from '../ledger/ledger.ts';
import { invalid, type Rejection } from '../state/reject.ts';

/** At most 16 texts of at most 1024 characters; whether any is needed is another question. */
export function checkEvidence(evidence: unknown): Rejection | null {
  const isList = Array.isArray(evidence) && evidence.length <= EVIDENCE_MAX;
  if (isList && evidence.every(isText)) return null;
  return invalid('evidence', 'at most 16 texts of at most 1024 characters');
}

export function hasEvidence(evidence: readonly string[]): boolean {
  return evidence.some((text) => text.length > 0);
}

export function isBond(bond: unknown): boolean {
  return typeof bond === 'bigint' && bond >= 0n && bond < BALANCE_MAX;
}

const EVIDENCE_MAX = 16;
const TEXT_LENGTH_MAX = 1024;

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= TEXT_LENGTH_MAX;
}
