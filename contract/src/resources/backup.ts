// Backups: as one is made, and as those of the data folder are known.

import { type Static, Type } from 'typebox';
import { instant, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';

const LaneCopy = Type.Object(
  {
    lane: oneOf(environments),
    seq: Type.Integer({ format: 'int64', minimum: 0, description: 'Last command included.' }),
    head_hash: Type.String({ description: 'Hash of its record in the journal.' }),
  },
  { title: 'LaneCopy' },
);

const Backup = Type.Object(
  {
    folder: Type.String({ description: 'On the machine of the server; copy it elsewhere.' }),
    lanes: Type.Array(LaneCopy),
    ...instant('created_at', 'When it was begun.'),
  },
  { title: 'Backup' },
);
type Backup = Static<typeof Backup>;

export const MadeBackup = Type.Object(
  {
    ...Backup.properties,
    left_out: Type.Array(oneOf(environments), {
      description:
        'Lanes that the data folder has and that do not run now (LANES): they are not in the backup. sibyl backup copies them from a stopped server.',
    }),
  },
  { title: 'MadeBackup' },
);

export const KnownBackup = Type.Object(
  {
    ...Backup.properties,
    version: Type.String({ description: 'Of the build that made it.' }),
    bytes: Type.Integer({ format: 'int64', minimum: 0, description: 'Of all its files.' }),
    ...nullableInstant(
      'verified_at',
      'When sibyl verify last found all of it as it was written; null if nobody has looked.',
    ),
  },
  { title: 'KnownBackup' },
);

const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;

const exampleBackup: Backup = {
  folder: '/srv/sibyl/data/backups/20261114T120000Z',
  lanes: [{ lane: 'live', seq: 42, head_hash: '0'.repeat(64) }],
  created_at: exampleInstant,
  created_at_ms: exampleInstantMs,
};

export const exampleMadeBackup: Static<typeof MadeBackup> = { ...exampleBackup, left_out: [] };

export const exampleKnownBackup: Static<typeof KnownBackup> = {
  ...exampleBackup,
  version: '0.1.0',
  bytes: 1_048_576,
  verified_at: exampleInstant,
  verified_at_ms: exampleInstantMs,
};
