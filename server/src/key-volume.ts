// What was traded under a key, from the history of the lane where keys begin.
import { usdt } from '@sibyl/money';
import type { OpenLane } from './boot.ts';
import type { AttributedVolume } from './ports/attributed-volume.ts';

export function keyVolumeIn({ history }: Pick<OpenLane, 'history'>): AttributedVolume {
  return {
    ofKey: async (publicId, firstDay, lastDay) =>
      usdt(await history.keyVolume(publicId, firstDay, lastDay)),
  };
}
