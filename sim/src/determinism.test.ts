// The same seed in other surroundings: another time zone and language, another garbage collector, another Node.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashesThere } from './elsewhere.ts';

const SEED = 7;
const STEPS = 3000;
const MAIN = join(import.meta.dirname, 'main.ts');

function hashesHere(flags: readonly string[], env: Readonly<Record<string, string>>): string {
  const args = [...flags, MAIN, '--hash', '--seed', String(SEED), '--steps', String(STEPS)];
  return execFileSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
}

/** Nodes of other majors on this machine: one named by SIM_NODE, or the host's own. */
function otherNodes(): string[] {
  const candidates = new Set([process.env.SIM_NODE, '/usr/bin/node', '/usr/local/bin/node']);
  return [...candidates].filter((path): path is string => {
    if (path === undefined || !existsSync(path)) return false;
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
    return !version.startsWith(`v${process.versions.node.split('.')[0]}.`);
  });
}

describe('the same seed elsewhere', () => {
  it('[CM10] gives the same hashes in another time zone, language and with other memory flags', () => {
    const here = hashesHere([], { TZ: 'UTC', LANG: 'C' });
    const there = hashesHere(['--max-semi-space-size=1'], {
      TZ: 'Asia/Kathmandu',
      LANG: 'tr_TR.UTF-8',
      LC_ALL: 'tr_TR.UTF-8',
    });
    expect(here).toMatch(/^state [0-9a-f]{64}\nevents [0-9a-f]{64}\n$/);
    expect(there).toBe(here);
  });

  const others = otherNodes();
  it.skipIf(others.length === 0)('[CM10] gives the same hashes on another Node major', () => {
    const here = hashesHere([], {});
    for (const node of others) {
      const env = { TZ: 'Asia/Kathmandu' };
      expect(hashesThere(SEED, STEPS, { node, flags: [], env })).toBe(here);
    }
  });
});
