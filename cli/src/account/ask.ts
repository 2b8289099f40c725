// One question to the exchange: its answer as it is for programs, in words for people.

import { exitCodes } from '../exit.ts';
import type { Terminal } from '../terminal.ts';
import { wordsOf } from '../words.ts';
import { type ServerOptions, serve } from './server.ts';

export interface Telling<Data> {
  /** Every field in a line of its own unless told. */
  words?(data: Data): readonly string[];
  /** What to do where nothing was found. */
  readonly ifUnknown?: string;
}

export async function ask<Data>(
  options: ServerOptions,
  question: () => Promise<Data>,
  { words = wordsOf, ifUnknown }: Telling<Data> = {},
): Promise<void> {
  const work = async (terminal: Terminal): Promise<number> => {
    const data = await question();
    terminal.result(data, words(data));
    return exitCodes.done;
  };
  await serve(options, work, ifUnknown);
}

/** What no later call can show again. */
interface Secrets {
  /** True where the first answer was lost on its way: the repeated one has none. */
  readonly secrets_withheld: boolean;
}

interface OnceTold {
  /** The answer under names for people; as it is unless told. */
  readonly named?: object;
  /** What to know of the secrets; null where there are none to be had. */
  readonly note: string | null;
  /** How to get others where these were lost. */
  readonly instead: string;
}

/** A question whose answer has secrets. */
export async function askOnce<Data extends Secrets>(
  options: ServerOptions,
  question: () => Promise<Data>,
  tell: (data: Data) => OnceTold,
  ifUnknown?: string,
): Promise<void> {
  const work = async (terminal: Terminal): Promise<number> => {
    const data = await question();
    const { note, instead, named = data } = tell(data);
    const { secrets_withheld: isWithheld } = data;
    const shown = Object.entries(named).filter(([name]) => name !== 'secrets_withheld');
    terminal.result(data, wordsOf(Object.fromEntries(shown)));
    if (!isWithheld) {
      if (note !== null) terminal.note(note);
      return exitCodes.done;
    }
    const message = 'it was done, but the answer with the secrets was lost on its way';
    terminal.problem('SECRETS_WITHHELD', message, instead);
    return exitCodes.failed;
  };
  await serve(options, work, ifUnknown);
}
