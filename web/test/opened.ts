// Where the exchange of the journeys is, as soon as it is there.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';

export interface Opened {
  readonly baseUrl: string;
  readonly adminUrl: string;
  readonly operatorToken: string;
  /** Of the operator `admin`, whom the first start made. */
  readonly operatorPassword: string;
  /** A folder with the letters that were mailed. */
  readonly letters: string;
}

export const opened: Opened = await read(inject('openedFile'));
export const { baseUrl } = opened;

async function read(file: string): Promise<Opened> {
  while (!existsSync(file)) await sleep(20);
  const outcome: Opened | { readonly failure: string } = JSON.parse(readFileSync(file, 'utf8'));
  if ('failure' in outcome) throw new Error(`the journeys have no stage: ${outcome.failure}`);
  return outcome;
}
