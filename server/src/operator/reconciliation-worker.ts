// The thread of a reconciliation: replays beside the lane, and examines what it came to.
import { serveReplay } from '../sequencer/replay-serve.ts';
import { examine } from './examination.ts';

serveReplay('sample', ({ state }) => examine(state));
