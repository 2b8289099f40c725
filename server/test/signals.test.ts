// Signals as terminals, systemd and operators send them: to the process group or to one process, once or twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedSandbox } from './seeded-sandbox.ts';
import { type Started, startServer, temporaryFolder } from './server-process.ts';

const LAUNCHER = [process.execPath, 'scripts/run.mjs', 'server/src/main.ts'] as const;
/** Twice within this time is what an impatient person does. */
const AGAIN_MS = 300;

describe('a signal', () => {
  const data = temporaryFolder();
  let server: Started;
  beforeAll(() => seedSandbox(data.folder));
  beforeEach(async () => {
    const environment = { LANES: 'sandbox' };
    const command = LAUNCHER;
    server = await startServer({ dataDir: data.folder, environment, command, isGroup: true });
  });
  afterEach(() => {
    if (server.child.exitCode === null) process.kill(-server.child.pid!, 'SIGKILL');
  });
  afterAll(data.remove);

  /** Demo accounts are written to stores and to the lane. */
  async function write({ baseUrl }: Started): Promise<void> {
    const answer = await fetch(`${baseUrl}/api/auth/demo`, { method: 'POST' });
    expect(answer.status).toBe(200);
  }

  const reach = { group: (pid: number) => -pid, launcher: (pid: number) => pid };

  const cases = [
    ['SIGINT', 'group', 1],
    ['SIGINT', 'group', 2],
    ['SIGTERM', 'group', 2],
    ['SIGINT', 'launcher', 1],
    ['SIGTERM', 'launcher', 2],
  ] as const;
  it.each(cases)(
    '[RE11] [RE12] %s to the %s, sent %d times, is one orderly stop',
    async (...sent) => {
      const [signal, target, count] = sent;
      expect(server.output()).not.toContain('ended without warning');
      await write(server);
      const pid = reach[target](server.child.pid!);
      process.kill(pid, signal);
      if (count === 2) {
        await sleep(AGAIN_MS);
        if (server.child.exitCode === null) process.kill(pid, signal);
      }
      expect(await server.ended).toBe(0);
    },
  );

  it('[RE11] the last of them left no sign of a sudden end', async () => {
    expect(server.output()).not.toContain('ended without warning');
    await server.stop();
  });
});
