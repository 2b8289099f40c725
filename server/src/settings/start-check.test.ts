import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { checkStart } from './start-check.ts';

const starting = (folder: string) =>
  checkStart(readConfig({ DATA_DIR: folder, PORT: '0', ADMIN_PORT: '0' }, '/'));

it.skipIf(process.platform !== 'linux').each(['/proc/x', '/proc/x/y', '/sys/x'])(
  '[SR6] a start on %s is refused at once, by root too',
  async (folder) => {
    const startedMs = performance.now();
    await expect(starting(folder)).rejects.toThrow(`DATA_DIR=${folder}`);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  },
);

it('[SR6] a folder that can be made is accepted, and nothing is left of the try', async () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'sibyl-start-'));
  await starting(path.join(parent, 'a', 'b'));
  await starting(parent);
  expect(readdirSync(parent)).toEqual([]);
  rmSync(parent, { recursive: true });
});
