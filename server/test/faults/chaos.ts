// As many faults as asked for: kills, rude ends of the whole server, power cuts, flipped bits, failing system calls; the first
// broken promise ends it.
import { parseArgs } from 'node:util';
import { runFlips } from './flips.ts';
import { runFlood } from './flood.ts';
import { runKept } from './kept.ts';
import { runKills } from './kills.ts';
import { cut, record } from './power-cuts.ts';
import { runRudeEnds } from './rude-ends.ts';
import { runStoreEnds } from './store-ends.ts';
import { findStrace } from './strace.ts';
import { type Fault, runFault } from './syscalls.ts';
import { runWebhookKills } from './webhook-kills.ts';

const USAGE = `usage: npm run chaos -- [--kills N] [--cuts N] [--flips N] [--calls N]
         [--webhook-kills N] [--ends N] [--store-ends N] [--kept N] [--flood] [--seed N]
  --kills N   kill -9 under load, N rounds
  --cuts N    power cuts at N moments, each in three modes
  --flips N   N flipped bits in journal and snapshots, crashed and closed
  --calls N   fail the 1st to N-th fsync, pwrite64 and openat
  --webhook-kills N   kill -9 of the whole server with a hostile webhook receiver, N times
  --store-ends N   one store that is killed or exits at each step of working, closing and opening, N sequences
  --ends N    end the whole server N times by kill -9, SIGINT or SIGTERM to its process group, once or twice
  --kept N    send N requests on kept connections while the machine is busy and both sides stall
  --flood     a minute of idle connections, pings, large bodies, unread answers and slow readers
  --seed N    another course of events (default: drawn, and printed)`;

/** What a bystander may notice of a flood: a tenth of a second. The heap is collected later, so memory may be half as much again. */
const FLOOD_SECONDS = 60;
const FLOOD_HEALTH_P99_MS = 100;
const FLOOD_RSS_GROWTH = 1.5;

/** Moments per recorded run: a new recording is another course of events. */
const CUTS_PER_RUN = 200;

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    cuts: { type: 'string' },
    flips: { type: 'string' },
    calls: { type: 'string' },
    'webhook-kills': { type: 'string' },
    'store-ends': { type: 'string' },
    ends: { type: 'string' },
    kept: { type: 'string' },
    flood: { type: 'boolean' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const [kills, cuts, flips, calls, webhookKills, storeEnds, ends, kept] = [
  values.kills,
  values.cuts,
  values.flips,
  values.calls,
  values['webhook-kills'],
  values['store-ends'],
  values.ends,
  values.kept,
].map(count);
const isFlood = values.flood === true;
const faults = kills! + cuts! + flips! + calls! + webhookKills! + storeEnds! + ends!;
const wanted = faults + kept!;
if (values.help === true || (wanted === 0 && !isFlood)) {
  console.log(USAGE);
  process.exit(values.help === true ? 0 : 2);
}
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : count(values.seed);
console.log(`seed ${seed}`);
if (kills! > 0) await killing(kills!);
if (cuts! > 0) await cutting(cuts!);
if (flips! > 0) await flipping(flips!);
if (calls! > 0) await failing(calls!);
if (webhookKills! > 0) await killingDeliveries(webhookKills!);
if (storeEnds! > 0) await endingStores(storeEnds!);
if (ends! > 0) await ending(ends!);
if (kept! > 0) await keeping(kept!);
if (isFlood) await flooding();
console.log('every promise held');

function count(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d{1,9}$/.test(text)) {
    console.error(`not a number: ${text}\n${USAGE}`);
    process.exit(2);
  }
  return Number(text);
}

async function killing(rounds: number): Promise<void> {
  const report = await runKills(rounds, seed, (round) => {
    if (round % 10 === 0) console.log(`  ${round} of ${rounds} kills`);
  });
  console.log('kills', report);
}

async function killingDeliveries(rounds: number): Promise<void> {
  const report = await runWebhookKills(rounds, seed, (kill) => {
    if (kill % 5 === 0) console.log(`  ${kill} of ${rounds} kills with webhooks`);
  });
  console.log('kills with webhooks', report);
}

async function endingStores(sequences: number): Promise<void> {
  const report = await runStoreEnds(sequences, seed, (sequence) => {
    if (sequence % 50 === 0) console.log(`  ${sequence} of ${sequences} ends of a store`);
  });
  console.log('ends of a store', report);
}

async function ending(times: number): Promise<void> {
  const report = await runRudeEnds(times, seed, (end) => {
    if (end % 5 === 0) console.log(`  ${end} of ${times} ends`);
  });
  console.log('rude ends', report);
}

async function keeping(requests: number): Promise<void> {
  const report = await runKept({ requests, seed, isBusy: true }, (sent) =>
    console.log(`  ${sent} of ${requests} kept requests`),
  );
  if (report.cut.length > 0) fail(report);
  console.log('kept requests', { ...report, cut: 0 });
}

async function cutting(moments: number): Promise<void> {
  const strace = stracePath();
  for (let done = 0; done < moments; done += CUTS_PER_RUN) {
    const recording = await record({ strace, commands: 600, seed: seed + done });
    const report = await cut(recording, Math.min(CUTS_PER_RUN, moments - done), seed + done);
    if (report.lost.length + report.refused.length > 0) fail(report);
    console.log('cuts', { ...report, lost: 0, refused: 0 });
  }
}

async function flipping(flipCount: number): Promise<void> {
  for (const end of ['crashed', 'closed'] as const) {
    const report = await runFlips(flipCount, seed, end);
    if (report.wrong.length > 0) fail(report);
    console.log(`flips, ${end}`, { ...report, wrong: 0 });
  }
}

async function failing(callsMax: number): Promise<void> {
  const strace = stracePath();
  for (let call = 1; call <= callsMax; call++) {
    const faults: Fault[] = [
      { calls: 'fsync,fdatasync', error: 'EIO', when: `${call}` },
      { calls: 'pwrite64', error: 'EIO', when: `${call}` },
      { calls: 'pwrite64', error: 'ENOSPC', when: `${call}` },
      { calls: 'pwrite64', error: 'ENOSPC', when: `${call}+` },
      { calls: 'openat', error: 'EMFILE', when: `${call}`, isOnData: true },
    ];
    for (const fault of faults) {
      const { struck, acknowledged, exit } = await runFault(strace, fault);
      const end = exit.signal ?? `exit ${exit.code}`;
      console.log(
        `  ${fault.calls} ${fault.error} at ${fault.when}: ${struck ?? 'not reached'}, ${acknowledged} kept, ${end}`,
      );
    }
  }
}

async function flooding(): Promise<void> {
  const report = await runFlood(FLOOD_SECONDS);
  const { health, wrong, rssMb } = report;
  const isHeld =
    wrong.length === 0 &&
    health.p99Ms < FLOOD_HEALTH_P99_MS &&
    rssMb.after < rssMb.before * FLOOD_RSS_GROWTH;
  if (!isHeld) fail(report);
  console.log('flood', report);
}

function stracePath(): string {
  const strace = findStrace();
  if (strace.program !== null) return strace.program;
  console.error(`power cuts and failing calls cannot be tried here: ${strace.missing}`);
  return process.exit(process.platform === 'linux' ? 1 : 0);
}

function fail(report: unknown): never {
  console.error('a promise was broken', report, `seed ${seed}`);
  process.exit(1);
}
