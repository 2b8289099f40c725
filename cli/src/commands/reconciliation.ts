// A reconciliation as the command line waits for it: with a bar, and ending in its report.

import { operatorOperations } from '@sibyl/contract';
import type { Transport } from '@sibyl/sdk';
import type { Terminal } from '../terminal.ts';
import { isRecord } from '../words.ts';

const ASK_EVERY_MS = 250;

/** The report of the run that is under way, or the whole state if it failed. */
export async function awaitReconciliation(
  transport: Transport,
  terminal: Terminal,
  lane: unknown,
): Promise<unknown> {
  const bar = terminal.bar(`reconciling ${String(lane)}`);
  const { method, path } = operatorOperations.getReconciliation;
  for (;;) {
    const asked = { method, path, query: { lane }, keyed: false, repeatable: true } as const;
    const { data } = await transport.send(asked);
    const run = isRecord(data) && isRecord(data.run) ? data.run : null;
    if (run === null || !isRecord(data)) throw new Error('the server says nothing of a run');
    const { state, seq, head_seq: head } = run;
    if (state === 'done') {
      bar.end(`${String(seq)} commands`);
      return data.report;
    }
    if (state === 'failed') {
      bar.fail('failed');
      return data;
    }
    bar.update(Number(seq) / Math.max(1, Number(head)), `${String(seq)} of ${String(head)}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
