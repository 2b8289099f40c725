import { expect, test } from 'vitest';
import { readInvocation } from './options.ts';

test('[BN9] without options every suite runs three rounds', () => {
  expect(readInvocation([])).toMatchObject({
    kind: 'run',
    rounds: 3,
    quick: false,
    jsonFile: null,
  });
});

test('[BN9] a suite, a file and the rounds can be chosen', () => {
  const args = ['--only', 'engine', '--json', 'out.json', '--rounds', '5', '--quick'];
  expect(readInvocation(args)).toEqual({
    kind: 'run',
    suites: ['engine'],
    rounds: 5,
    quick: true,
    jsonFile: 'out.json',
  });
});

test.each([
  [['--only', 'nothing'], 'no suite nothing'],
  [['--rounds', '0'], '--rounds takes'],
  [['--rounds', '1.5'], '--rounds takes'],
  [['--fast'], 'fast'],
  [['stray'], 'stray'],
])('[BN9] a mistake is told: %j', (args, message) => {
  const invocation = readInvocation(args);
  expect(invocation.kind).toBe('mistake');
  expect(invocation).toHaveProperty('message', expect.stringContaining(message));
});
