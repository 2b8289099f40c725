import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FullDiskReport } from './full-disk.ts';
import type { FullServerReport } from './full-disk-server.ts';

const SUBJECT = path.join(import.meta.dirname, 'full-disk.ts');

const WHOLE_SERVER = path.join(import.meta.dirname, 'full-disk-server.ts');

/** What the program said that ran on a file system of this size. */
function onSmallDisk(size: string, program: string): string {
  const mountPoint = mkdtempSync(path.join(tmpdir(), 'sibyl-full-'));
  const script = `mount -t tmpfs -o size=${size} tmpfs "$1" && exec "$2" "$3" "$1"`;
  const run = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', script, 'sh', mountPoint, process.execPath, program],
    { encoding: 'utf8' },
  );
  rmSync(mountPoint, { recursive: true });
  expect(run.stderr).toBe('');
  return run.stdout;
}

/** Without namespaces the full disk is still tried by failing system calls, in the test of that name. */
const mayMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

describe('full disk', () => {
  if (!mayMount) {
    it('[P6][OP75] could not be tried on a real file system: this host lets us make none', () => {
      console.warn('a really full disk was NOT tested: `unshare -rm` is not possible here');
    });
    return;
  }

  it('[P6] read-only when the disk is full, cancels from the reserve, back when there is room', () => {
    const report: FullDiskReport = JSON.parse(onSmallDisk('6m', SUBJECT));
    expect(report.placed).toBeGreaterThan(500);
    expect(report.refusal).toBe('READ_ONLY_MODE');
    expect(report.cancels).toBe(40);
    expect(report.isBack).toBe(true);
    expect(report.readSeq).toBeGreaterThanOrEqual(report.placed + report.cancels);
    expect(report.verifiedSeq).toBe(report.acknowledgedSeq);
  });

  it('[OP75] operators, users and the next start are told of it, each what concerns them', () => {
    const { act, registration, ...report }: FullServerReport = JSON.parse(
      onSmallDisk('160m', WHOLE_SERVER),
    );
    expect(act).toMatchObject({ status: 503, error: { code: 'SERVICE_UNAVAILABLE' } });
    expect(act.error.details).toMatchObject({ reason: 'disk_full' });
    expect(act.error.message).toMatch(/the disk of \S+data is full: make room there/);
    expect(registration.status).toBe(503);
    expect(JSON.stringify(registration)).not.toContain('sibyl-full-');
    expect([report.lookStatus, report.actAgainStatus]).toEqual([200, 404]);
    expect(report.start.status).toBe(1);
    expect(report.start.stderr).toMatch(/^sibyl: the disk of \S+ is full .*start again/m);
    expect(report.start.stderr).not.toMatch(/^\s+at /m);
  });
});
