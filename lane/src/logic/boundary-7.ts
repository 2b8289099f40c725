// From engine logic 7 to 8: orders may be placed under a grant, and vested fees are credited.
import type { Boundary, SnapshotLine } from './boundary.ts';

export const from7: Boundary = {
  from: 7,
  *carry(lines) {
    for (const line of lines) yield carried(line);
  },
  // What the former engine said has the same words: nobody acted under a grant, and no fees were credited.
  retell: (committed) => committed,
};

function carried(line: SnapshotLine): SnapshotLine {
  switch (line.is) {
    case 'state':
      return { ...line, format: 7 };
    case 'order':
      return { ...line, grantId: null };
    default:
      return line;
  }
}
