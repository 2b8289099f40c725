// Runs the command line.

import { endWhenNobodyReads } from './closed-pipe.ts';
import { main } from './program.ts';

endWhenNobodyReads();
await main(process.argv.slice(2));
