import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorsModule } from './errors.ts';
import { operationsModule } from './operations.ts';
import { webhooksModule } from './webhooks.ts';

const generated: readonly (readonly [string, () => string])[] = [
  ['operations.ts', operationsModule],
  ['errors.ts', errorsModule],
  ['webhooks.ts', webhooksModule],
];

it.each(generated)('[SK9] generated/%s is what the contract says today', (name, make) => {
  const file = new URL(`../src/generated/${name}`, import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(make());
});
