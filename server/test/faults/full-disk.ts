// Run on a small file system: fills it with a lane until the lane goes read-only, gets out, makes room, comes back.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_PARAMETERS } from '@sibyl/engine';
import {
  Lane,
  LaneUnavailable,
  SqliteJournal,
  type Submission,
  systemClock,
  verify,
} from '@sibyl/lane';
import { ACCOUNTS, cancelAll, command, drawFrom, openMarket } from '../../../lane/test/workload.ts';

export interface FullDiskReport {
  readonly placed: number;
  readonly refusal: string;
  readonly cancels: number;
  readonly readSeq: number;
  readonly isBack: boolean;
  readonly verifiedSeq: number;
  readonly acknowledgedSeq: number;
}

const directory = process.argv[2]!;
const ballast = path.join(directory, 'ballast');
const file = path.join(directory, 'data', 'journal.db');
const open = () => SqliteJournal.open({ file, reserveBytes: 512 << 10, checkpointPages: 100 });

writeFileSync(ballast, Buffer.alloc(2 << 20, 1));
const lane = await Lane.open({
  name: 'live',
  parameters: DEFAULT_PARAMETERS,
  journal: await open(),
  snapshots: null,
  clock: systemClock,
  limits: { refillMs: 50 },
});
let acknowledgedSeq = 0;
const submit = async (submission: Submission) => {
  const { seq, answer } = await lane.submit(submission);
  acknowledgedSeq = Math.max(acknowledgedSeq, seq);
  return answer;
};
const marketId = await openMarket(submit);
const draw = drawFrom(1);
let placed = 0;
let refusal = '';
while (refusal === '' && placed < 100_000) {
  const batch = Array.from({ length: 16 }, (_, index) =>
    submit(command(draw, `c${placed + index}`, marketId)),
  );
  const results = await Promise.allSettled(batch);
  placed += results.filter(({ status }) => status === 'fulfilled').length;
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined)
    refusal = failed.reason instanceof LaneUnavailable ? failed.reason.code : String(failed.reason);
}
let cancels = 0;
for (let index = 0; index < 40; index++) {
  if ((await submit(cancelAll(ACCOUNTS[index % ACCOUNTS.length]!, `x${index}`))).ok) cancels += 1;
}
const readSeq = await lane.read((state) => state.seq);
rmSync(ballast);
for (let turn = 0; turn < 100 && lane.status().state !== 'running'; turn++) await sleep(50);
const isBack =
  (await submit(command(draw, 'back', marketId))).ok && lane.status().state === 'running';
await lane.close();
const journal = await open();
const verified = await verify({
  lane: 'live',
  parameters: DEFAULT_PARAMETERS,
  journal,
  snapshots: null,
});
await journal.close();
const report: FullDiskReport = {
  placed,
  refusal,
  cancels,
  readSeq,
  isBack,
  verifiedSeq: verified.seq,
  acknowledgedSeq,
};
console.log(JSON.stringify(report));
