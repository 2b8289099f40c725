import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FullDiskReport } from './full-disk.ts';

const SUBJECT = path.join(import.meta.dirname, 'full-disk.ts');

/** Without namespaces the full disk is still tried by failing system calls, in the test of that name. */
const mayMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

describe('full disk', () => {
  if (!mayMount) {
    it('[P6] could not be tried on a real file system: this host lets us make none', () => {
      console.warn('a really full disk was NOT tested: `unshare -rm` is not possible here');
    });
    return;
  }

  it('[P6] read-only when the disk is full, cancels from the reserve, back when there is room', () => {
    const mountPoint = mkdtempSync(path.join(tmpdir(), 'sibyl-full-'));
    const script = 'mount -t tmpfs -o size=6m tmpfs "$1" && exec "$2" "$3" "$1"';
    const run = spawnSync(
      'unshare',
      ['-rm', 'sh', '-c', script, 'sh', mountPoint, process.execPath, SUBJECT],
      {
        encoding: 'utf8',
      },
    );
    rmSync(mountPoint, { recursive: true });
    expect(run.stderr).toBe('');
    const report: FullDiskReport = JSON.parse(run.stdout);
    expect(report.placed).toBeGreaterThan(500);
    expect(report.refusal).toBe('READ_ONLY_MODE');
    expect(report.cancels).toBe(40);
    expect(report.isBack).toBe(true);
    expect(report.readSeq).toBeGreaterThanOrEqual(report.placed + report.cancels);
    expect(report.verifiedSeq).toBe(report.acknowledgedSeq);
  });
});
