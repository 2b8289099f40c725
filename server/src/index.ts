// The server as other programs use it: to start one, and to look after its data.

export {
  type CopyEnd,
  JournalConflict,
  JournalCorrupt,
  JournalFailed,
  RecoveryRefused,
} from '@sibyl/lane';
export { type BootWatcher, boot, type Server } from './boot.ts';
export { createLog, type Log, silentLog } from './gateway/log.ts';
export { Outlet, WriteTurn } from './gateway/ws/outlet.ts';
export { backup, type CopyProgress, restore } from './maintenance/backup.ts';
export { listBackups } from './maintenance/backup-list.ts';
export { DataUnusable } from './maintenance/copies.ts';
export { lanesIn } from './maintenance/data-folder.ts';
export { examine, examineFolder, type Finding } from './maintenance/doctor.ts';
export { beginWebhooks, rebuildLane } from './maintenance/rebuild.ts';
export {
  type VerifiedFolder,
  type VerifiedLane,
  verifyFolder,
} from './maintenance/verify-folder.ts';
export {
  type ReplayEnd,
  type ReplayedCommand,
  type ReplayRange,
  replayLane,
} from './maintenance/verify-lane.ts';
export {
  addOperatorOffline,
  resetFactorOffline,
  resetOperator,
  setRolesOffline,
} from './operator/offline-operators.ts';
export { rotateSigningKey } from './operator/rotate-signing.ts';
export { type Config, ConfigError, readConfig } from './settings/config.ts';
export { VERSION } from './settings/version.ts';
export { verifyExportedTrail } from './stores/trail-chain.ts';
export { Registry } from './streams/registry.ts';
