// Files of a store that notice damage: SQLite with a checksum for every page, migrations, and folders for their owner only.

export { isDiskFull } from './disk-full.ts';
export { EarlierBuild } from './earlier-build.ts';
export { lookIfPossible, lookInto } from './look-into.ts';
export { migrate, requireBaseline } from './migrate.ts';
export { ownFile } from './own-file.ts';
export { ownFolder } from './own-folder.ts';
export { FileInUse, PageSums, PagesDamaged, sumPages } from './page-sums.ts';
export { syncFolder } from './sync-folder.ts';
