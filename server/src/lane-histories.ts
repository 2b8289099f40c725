// What the open lanes give to others: the lanes, their histories, and what was traded under a key.
import type { LaneName } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
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

export function lanesOf(opened: OpenLanes): Readonly<Partial<Record<LaneName, Lane>>> {
  return Object.fromEntries(Object.entries(opened).map(([name, { lane }]) => [name, lane]));
}
