// Which rules of compliance are in force: the rules themselves are the gateway's, the lane proves which they were and since when.
import { isOperator } from '../state/authority.ts';
import type { Actor, SetCompliance } from '../state/command.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, reject } from '../state/reject.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';

export interface ComplianceRules {
  readonly version: number;
  /** SHA-256 of the rules as they are kept, in hexadecimal. */
  readonly hash: string;
}

export function setCompliance(
  { state, events }: Turn,
  actor: Actor,
  { version, hash }: SetCompliance,
): Answer {
  if (!Number.isSafeInteger(version) || version < 1) {
    return refuse(invalid('version', 'a whole number above 0'));
  }
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) {
    return refuse(invalid('hash', '64 digits of 0-9 and a-f'));
  }
  if (!isOperator(actor)) return refuse(reject('NOT_FOUND'));
  const known = state.compliance;
  if (known !== null && known.version === version && known.hash === hash) return accept(DONE);
  // A version is never told twice with other rules, and never taken back.
  if (known !== null && version <= known.version) {
    return refuse(reject('STATE_CONFLICT', { version: known.version }));
  }
  state.compliance = { version, hash };
  events.push({ type: 'compliance_set', version, hash });
  return accept(DONE);
}
