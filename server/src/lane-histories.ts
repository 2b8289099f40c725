// What was, as the modules read it: the histories of the lanes, and what was traded under a key.
import { usdt } from '@sibyl/money';
import type { OpenLane, OpenLanes } from './boot.ts';
import type { AttributedVolume } from './ports/attributed-volume.ts';
import type { Histories } from './wire/histories.ts';

export function historiesOf(opened: OpenLanes): Histories {
  return Object.fromEntries(Object.entries(opened).map(([name, { history }]) => [name, history]));
}

/** Keys begin in the sandbox, so that is where their volume is. */
export function keyVolumeIn({ history }: Pick<OpenLane, 'history'>): AttributedVolume {
  return {
    ofKey: async (publicId, firstDay, lastDay) =>
      usdt(await history.keyVolume(publicId, firstDay, lastDay)),
  };
}
