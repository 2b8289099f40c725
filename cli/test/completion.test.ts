// Scripts that complete commands in a shell; bash runs its own here.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runSibyl } from './run-sibyl.ts';

describe('[CL24] completion', () => {
  const complete = async (line: string): Promise<readonly string[]> => {
    const { output } = await runSibyl(['completion', 'bash'], {});
    const words = line.split(' ').map((word) => `'${word}'`);
    const script = `${output}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _sibyl; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  };

  it('bash completes commands, options and what they may be', async () => {
    expect(await complete('sibyl sand')).toEqual(['sandbox']);
    expect(await complete('sibyl sandbox re')).toEqual(['reset', 'resolve']);
    expect(await complete('sibyl order place --time-in')).toEqual(['--time-in-force']);
    expect(await complete('sibyl order place --time-in-force f')).toEqual(['fok']);
    expect(await complete('sibyl apps ro')).toEqual(['rotate-secret']);
    expect(await complete('sibyl apps register --scope o')).toEqual(['orders:trade', 'offline']);
    expect(await complete('sibyl builder apply g')).toEqual(['genesis']);
    expect(await complete('sibyl keys si')).toEqual(['signing-secret']);
    expect(await complete('sibyl keys mint --permission w')).toEqual(['withdraw']);
    expect(await complete('sibyl revenue --by a')).toEqual(['app', 'actor']);
    expect(await complete('sibyl grants ')).toEqual(['list', 'revoke']);
    expect(await complete('sibyl --url http://x order place m_1 yes bu')).toEqual(['buy']);
  });

  it('the scripts of zsh and fish know every command', async () => {
    const zsh = await runSibyl(['completion', 'zsh'], {});
    const bash = await runSibyl(['completion', 'bash'], {});
    expect(zsh.output).toMatch(/^#compdef sibyl\nautoload -U \+X bashcompinit && bashcompinit\n/);
    expect(zsh.output.split('\n').slice(2)).toEqual(bash.output.split('\n').slice(1));
    const fish = await runSibyl(['completion', 'fish'], {});
    for (const word of ['markets', 'cancel-all', 'resend', 'trail']) {
      expect(fish.output).toContain(` -a '${word}' `);
    }
    expect(fish.output).toContain("-l 'time-in-force' -x -a 'gtc ioc fok gtd'");
    expect((await runSibyl(['completion', 'powershell'], {})).code).toBe(2);
  });
});
