// Backups of a running server, one at a time.

import type { OperatorOperations, OutputOf } from '@sibyl/contract';
import { type ApiError, fail, isoTime, type Reply } from '../handling/handler.ts';
import type { KnownBackup } from '../maintenance/backup-list.ts';
import { DataUnusable } from '../maintenance/copies.ts';
import type { FinishedBackup, OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

export function backupActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'createBackup' | 'listBackups'> {
  let isRunning = false;
  const backUp = async (): Promise<Reply<Backup> | ApiError> => {
    if (isRunning) return fail('STATE_CONFLICT', { reason: 'another backup is being made' });
    isRunning = true;
    try {
      const made = await parts.backUp();
      return { data: { ...backupView(made), left_out: [...made.leftOut] } };
    } catch (error) {
      // Somebody has to put the folder right, and is told how.
      if (error instanceof DataUnusable) {
        return fail('SERVICE_UNAVAILABLE', undefined, `No backup was made: ${error.message}`);
      }
      throw error;
    } finally {
      isRunning = false;
    }
  };
  return {
    createBackup: (request) => actOnce(parts, request, backUp),
    listBackups: async () => ({ data: { backups: parts.backups().map(knownView) } }),
  };
}

type Backup = OutputOf<OperatorOperations['createBackup']>;

function knownView({ folder, manifest, sizeBytes, verifiedAt }: KnownBackup) {
  const finished = {
    folder,
    createdAtMs: Date.parse(manifest.created_at),
    lanes: manifest.lanes,
  };
  return {
    ...backupView(finished),
    version: manifest.version,
    bytes: sizeBytes,
    verified_at: verifiedAt,
    verified_at_ms: verifiedAt === null ? null : Date.parse(verifiedAt),
  };
}

function backupView({ folder, createdAtMs, lanes }: FinishedBackup) {
  return {
    folder,
    lanes: lanes.map(({ lane, seq, headHash }) => ({ lane, seq, head_hash: headHash })),
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
  };
}
