// The letters that somebody got, and the links in them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { opened } from './opened.ts';
import { soon } from './stage.ts';

/** Where the n-th link to the page leads, at the address of the journeys, once its letter has come. */
export async function mailedLink(email: string, page: string, place = 0): Promise<string> {
  const find = async (): Promise<string> => {
    const file = path.join(opened.letters, email);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const links = [...text.matchAll(new RegExp(`https?://[^/\\s]+(${page}#[\\w-]{43})`, 'g'))];
    return links[place]?.[1] ?? '';
  };
  await soon(find).not.toBe('');
  return find();
}
