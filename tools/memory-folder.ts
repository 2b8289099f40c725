// Where tests keep their folders: in memory, if the system has room there. What is killed loses nothing of a file system in
// memory, only a machine that loses its power does; and a third of the time of a test with a server is the disk's.
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

const MEMORY = '/dev/shm';
const NAME = 'sibyl-tests-';
const ROOM_MIN = 6 * 1024 ** 3;

/** Makes it the place for temporary files of this process and those that it starts, until it ends. */
export function keepFoldersInMemory(): void {
  if (!hasRoom()) return;
  removeForgotten();
  const folder = path.join(MEMORY, `${NAME}${process.pid}`);
  // PostgreSQL runs as somebody else, who has to get through to its own.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_MIN;
  } catch {
    return false;
  }
}

/** Of runs that were killed. */
function removeForgotten(): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(NAME) || isRunning(Number(name.slice(NAME.length)))) continue;
    rmSync(path.join(MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
