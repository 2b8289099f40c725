import { expect, it } from 'vitest';
import { diskRoom } from './disk-room.ts';

it('[OA13] tells how much room a disk has, and before it has none what to do', () => {
  const gibibyte = 2 ** 30;
  expect(diskRoom(gibibyte)).toEqual({ isScarce: false, words: '1024 MiB free' });
  const scarce = diskRoom(gibibyte - 1);
  expect(scarce.isScarce).toBe(true);
  expect(scarce.words).toMatch(/^1023 MiB free; .*remove old backups/);
});
