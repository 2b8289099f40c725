// The process of a snapshot: replays with every outcome checked, and saves.
import { serveReplay } from './replay-serve.ts';

serveReplay('all', ({ state, link }, store) => {
  store.save(state, link);
  return link.seq;
});
