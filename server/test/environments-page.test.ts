// docs/ENVIRONMENTS.md against the data that it speaks of.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { limits, tiers } from '@sibyl/contract';
import { describe, expect, it } from 'vitest';
import { root } from './server-process.ts';

const page = readFileSync(path.join(root, 'docs', 'ENVIRONMENTS.md'), 'utf8');

/** The cells of the table under a heading, row by row, without its head. */
function table(heading: string): readonly (readonly string[])[] {
  const section = page.slice(page.indexOf(`## ${heading}\n`)).split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('[IN4] the page on environments, keys and tiers', () => {
  it('shows every tier with its caps and its multiplier', () => {
    const money = (cap: string | null): string => (cap === null ? 'no cap' : `${cap} USDT`);
    const expected = tiers.map((tier) => {
      const { environment, orderNotionalMax, dailyNotionalMax, rateMultiplier } =
        limits.tiers[tier];
      const caps = [money(orderNotionalMax), money(dailyNotionalMax)];
      return [`\`${tier}\``, environment, ...caps, `${rateMultiplier}x`];
    });
    expect(table('Tiers')).toEqual(expected);
  });

  it('says what graduation needs', () => {
    const { volume, windowDays, from, to } = limits.graduation;
    expect(page).toContain(`A \`${from}\` key becomes \`${to}\` by itself`);
    expect(page).toMatch(new RegExp(`last ${windowDays} days reaches ${volume} USDT`));
    expect(page).toContain('10,000 USDT an hour');
    expect(limits.faucet).toEqual({ amount: '10000', windowMs: 3_600_000 });
  });
});
