import { describe, expect, it } from 'vitest';
import { findStrace } from './strace.ts';
import { type Fault, runFault } from './syscalls.ts';

const strace = findStrace();
const sync = 'fsync,fdatasync';

describe('failing system calls', () => {
  if (strace.program === null && process.platform !== 'linux') {
    it(`[P6] could not be tried: ${strace.missing}`, () => {
      console.warn(`failing system calls were NOT tested: ${strace.missing}`);
    });
    return;
  }

  const run = (fault: Fault) => {
    expect(strace.missing).toBeNull();
    return runFault(strace.program!, fault);
  };

  it.each<Fault>([
    { calls: sync, error: 'EIO', when: '2' },
    { calls: sync, error: 'EIO', when: '9' },
    { calls: sync, error: 'EIO', when: '21' },
    { calls: 'pwrite64', error: 'EIO', when: '35' },
    { calls: 'pwrite64', error: 'EIO', when: '80' },
  ])(
    '[P6] $calls $error at call $when: the process ends, nothing is written or said any more',
    async (fault) => {
      const { struck, exit, refusals } = await run(fault);
      expect(struck).toMatch(/^journal\.db/);
      expect(exit.code).toBeGreaterThan(0);
      expect(refusals.has('READ_ONLY_MODE')).toBe(false);
    },
  );

  it('[P6] a disk that is full for a moment: read-only, and a cancel goes through', async () => {
    const { struck, exit, refusals, isCancelling, acknowledged } = await run({
      calls: 'pwrite64',
      error: 'ENOSPC',
      when: '60',
    });
    expect(struck).toMatch(/^journal\.db/);
    expect(acknowledged).toBeGreaterThan(10);
    expect([...refusals]).toEqual(['READ_ONLY_MODE']);
    expect(isCancelling).toBe(true);
    expect(exit.signal).toBe('SIGKILL');
  });

  it('[P6] a disk that stays full: read-only, nothing is acknowledged, the process stays', async () => {
    const { struck, exit, refusals, isCancelling } = await run({
      calls: 'pwrite64',
      error: 'ENOSPC',
      when: '60+',
    });
    expect(struck).toMatch(/^journal\.db/);
    expect(refusals.has('SERVICE_UNAVAILABLE') || refusals.has('READ_ONLY_MODE')).toBe(true);
    expect(isCancelling).toBe(false);
    expect(exit.signal).toBe('SIGKILL');
  });

  it.each<Fault>([
    { calls: 'openat', error: 'EMFILE', when: '1', isOnData: true },
    { calls: 'openat', error: 'EMFILE', when: '4', isOnData: true },
  ])('[P6] openat $error at call $when: no start or a sound one', async (fault) => {
    const { struck } = await run(fault);
    expect(struck).not.toBeNull();
  });
});
