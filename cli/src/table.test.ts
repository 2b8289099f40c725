// Tables for people: aligned, and no wider than a terminal shows.
import { expect, it } from 'vitest';
import { type Column, tableOf } from './table.ts';

interface Row {
  readonly id: string;
  readonly scopes: string;
  readonly name: string;
}

const columns: readonly Column<Row>[] = [
  { head: 'GRANT', of: ({ id }) => id },
  { head: 'MAY', of: ({ scopes }) => scopes },
  { head: 'WHO', of: ({ name }) => name },
];
const scopes = 'account:read, orders:trade, markets:create, webhooks:manage, offline, data:read';
const row: Row = {
  id: 'grt_0123456789abcdef',
  scopes,
  name: 'Election desk of Ada (app_0123456789)',
};

it('[CL38] long cells go on in further lines, and nothing is lost', () => {
  for (const width of [60, 80, 120]) {
    const lines = tableOf(columns, [row, { ...row, name: 'short' }], width);
    for (const line of lines) expect([line, line.length <= width]).toEqual([line, true]);
    expect(lines.filter((line) => line.startsWith('grt_'))).toHaveLength(2);
    const words = lines.join(' ').split(/ +/);
    for (const word of `${scopes} ${row.name}`.split(' ')) expect(words).toContain(word);
  }
});

it('[CL38] programs get one line for each row, and ids are never broken', () => {
  expect(tableOf(columns, [row], Number.POSITIVE_INFINITY)).toEqual([
    expect.stringMatching(/^GRANT +MAY +WHO$/),
    `${row.id}  ${scopes}  ${row.name}`,
  ]);
  expect(tableOf(columns, [row], 10).join(' ')).toContain(row.id);
  expect(tableOf(columns, [], 10)).toEqual([expect.stringMatching(/GRANT {2}MAY {2}WHO/)]);
});
