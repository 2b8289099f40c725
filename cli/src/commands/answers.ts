// What an answer of the operator plane says beside itself: that something is not well, or that nothing was done yet.

import { type AnyOperation, rolesIn, whoMayAct } from '@sibyl/contract';
import { isRecord } from '../words.ts';

export interface Fault {
  readonly code: string;
  readonly message: string;
}

/** The request succeeded, and what it tells is not well; null if it is. */
export function faultIn({ id }: Pick<AnyOperation, 'id'>, data: unknown): Fault | null {
  if (!isRecord(data)) return null;
  if (id === 'approveAct' && data.state === 'failed') return refusedAct(data.outcome);
  if (data.balanced === false) {
    return { code: 'NOT_BALANCED', message: 'the reconciliation does not balance' };
  }
  if (data.available === false) {
    return { code: 'HISTORY_UNAVAILABLE', message: 'history cannot be read' };
  }
  const lane = recordsIn(data.lanes).find(({ state }) => UNWELL.has(String(state)));
  if (lane !== undefined) {
    const { lane: name, state, reason } = lane;
    return { code: 'LANE_NOT_RUNNING', message: `${name} is ${state}: ${reason ?? 'no reason'}` };
  }
  if (isRecord(data.custody) && data.custody.state === 'silent') {
    const { name, reason, silent_since_at: since } = data.custody;
    return {
      code: 'CUSTODY_SILENT',
      message: `${name} gives no clear answer since ${since}: ${reason}`,
    };
  }
  if (isRecord(data.report)) return faultIn({ id }, data.report) ?? failedRun(data.run);
  return failedRun(data.run) ?? failedRun(data.rebuild);
}

/** Null where all that was asked for is done. */
export function noteOn({ id }: Pick<AnyOperation, 'id'>, data: unknown): string | null {
  if (id === 'createBackup' && isRecord(data)) return leftOutNote(data.left_out);
  const isWaiting = isRecord(data) && 'confirmable_at' in data && data.state === 'waiting';
  if (!isWaiting || id === 'getApproval') return null;
  const { approval_id: approval, role, confirmable_at: aloneAt } = data;
  const [needed] = rolesIn([String(role)]);
  const whose = `another operator (${needed === undefined ? String(role) : whoMayAct(needed)})`;
  const how = `sibyl admin queue show ${String(approval)}, then queue approve`;
  const who =
    typeof aloneAt === 'string'
      ? `nobody else could agree, so you may confirm it yourself from ${aloneAt} on`
      : `${whose} has to agree`;
  return `Nothing has been done yet: ${who} (${how}).`;
}

function leftOutNote(leftOut: unknown): string | null {
  if (!Array.isArray(leftOut) || leftOut.length === 0) return null;
  return `Left out: ${leftOut.join(' and ')}, which does not run here (LANES). Stop the server and use sibyl backup FOLDER to have it too.`;
}

const UNWELL: ReadonlySet<string> = new Set(['stopped', 'read_only', 'recovering']);

function refusedAct(outcome: unknown): Fault {
  const { code = 'FAILED', message = 'no reason', details } = isRecord(outcome) ? outcome : {};
  const more = isRecord(details) ? ` ${JSON.stringify(details)}` : '';
  const what = `it was agreed to, and refused when it was carried out: ${code}: ${message}${more}`;
  return { code: String(code), message: what };
}

function failedRun(run: unknown): Fault | null {
  if (!isRecord(run) || run.state !== 'failed') return null;
  return { code: 'RUN_FAILED', message: String(run.error ?? 'the run failed') };
}

function recordsIn(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
