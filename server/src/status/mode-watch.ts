// Why a lane is paused or halted: who did it, when and for what reason. The journal knows; the engine's state does not keep it.
import { type Command, commandVersion, decodeCommand, type LaneName } from '@sibyl/engine';
import { type CommittedCommand, type Journal, type Lane, recordsOf } from '@sibyl/lane';
import type { KnownMode, KnownModes, ModeChange } from '../ports/status.ts';

export interface ModeSource {
  readonly lane: Pick<Lane, 'read' | 'onCommitted'>;
  readonly journal: Pick<Journal, 'head' | 'read'>;
}

export class ModeWatch implements KnownMode {
  #current: ModeChange | null = null;
  #hasFollowed = false;

  /** Follows the lane from now on, and looks up what it is in already. */
  static async open({ lane, journal }: ModeSource): Promise<ModeWatch> {
    const watch = new ModeWatch();
    lane.onCommitted((batch) => watch.#follow(batch));
    // A lane that has stopped answers nothing, and says itself why.
    const isPaused = await lane.read(({ readOnly }) => readOnly).catch(() => false);
    const found = isPaused ? await lastPause(journal) : null;
    if (!watch.#hasFollowed) watch.#current = found;
    return watch;
  }

  private constructor() {}

  get current(): ModeChange | null {
    return this.#current;
  }

  #follow(batch: readonly CommittedCommand[]): void {
    for (const { command, outcome } of batch) {
      const isChange = outcome.events.some(({ type }) => type === 'read_only_changed');
      if (!isChange || command.type !== 'set_read_only') continue;
      this.#hasFollowed = true;
      this.#current = command.readOnly ? changeOf(command) : null;
    }
  }
}

type SetMode = Command & { readonly type: 'set_read_only' };

function changeOf({ actor, cancelOnly = false, reason, atMs }: SetMode): ModeChange {
  // The command has what everyone reads; why an operator did it goes with the actor.
  const own = { isHalt: cancelOnly, message: reason, sinceMs: atMs };
  return actor.kind === 'operator'
    ? { ...own, reason: actor.reason, by: actor.name }
    : { ...own, reason, by: 'system' };
}

const FIRST_SPAN = 4_096;
const FORM = `set_read_only@${commandVersion('set_read_only')}`;

/**
 * Little happens in a lane that is paused, so the command is near the end; the stretch that is looked at doubles until it is
 * found.
 */
async function lastPause(journal: ModeSource['journal']): Promise<ModeChange | null> {
  const { seq: headSeq } = await journal.head();
  for (let span = FIRST_SPAN; ; span *= 2) {
    const fromSeq = Math.max(1, headSeq - span + 1);
    const found = await pauseAfter(journal, fromSeq);
    if (found !== null || fromSeq === 1) return found;
  }
}

/** As the engine decides: to set what is set already changes nothing, and the lane itself never changes a halt. */
async function pauseAfter(
  journal: ModeSource['journal'],
  fromSeq: number,
): Promise<ModeChange | null> {
  let pause: ModeChange | null = null;
  for await (const commits of journal.read(fromSeq)) {
    for (const { form, body } of commits.flatMap(recordsOf)) {
      if (form !== FORM) continue;
      const command = decodeCommand(body) as SetMode;
      const change = changeOf(command);
      if (pause?.isHalt && change.by === 'system') continue;
      if (!command.readOnly) pause = null;
      else if (pause === null || pause.isHalt !== change.isHalt) pause = change;
    }
  }
  return pause;
}

export async function openModes(
  opened: Readonly<Partial<Record<LaneName, ModeSource>>>,
): Promise<KnownModes> {
  const watches = Object.entries(opened).map(
    async ([name, source]) => [name, await ModeWatch.open(source)] as const,
  );
  return Object.fromEntries(await Promise.all(watches));
}
