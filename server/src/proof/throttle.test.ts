import { systemClock } from '@sibyl/lane';
import { expect, it } from 'vitest';
import { LoginThrottle } from './throttle.ts';

it('[KY6] an attempt that was not judged counts for nothing', () => {
  const throttle = new LoginThrottle(systemClock, { hasTotal: true });
  for (let count = 0; count < 200; count += 1) {
    expect(throttle.enter('ada@example.com', '192.0.2.1')).toBe(0);
    throttle.giveBack('ada@example.com', '192.0.2.1');
  }
  for (let count = 0; count < 10; count += 1) throttle.enter('ada@example.com', '192.0.2.1');
  expect(throttle.enter('ada@example.com', '192.0.2.1')).toBeGreaterThan(0);
});
