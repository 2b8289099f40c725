// Runs one recurring job by itself.
import type { Clock } from '@sibyl/lane';
import type { Job } from '../src/handling/job.ts';
import { Jobs } from '../src/jobs/jobs.ts';

/** The returned function ends it, after a run that is under way. */
export function runJob(job: Job, clock: Clock): () => Promise<void> {
  const jobs = new Jobs({ clock, log: { write: () => undefined } });
  jobs.add(job);
  jobs.start();
  return () => jobs.stop();
}
