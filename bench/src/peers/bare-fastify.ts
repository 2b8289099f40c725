// The peer "bare Fastify": the order route with its schemas, answered at once: no credential, no engine, no journal.
import { openFront } from '../http/front.ts';

export async function serveBareFastify(): Promise<number> {
  let count = 0;
  return await openFront(() => {
    count += 1;
    return count;
  });
}
