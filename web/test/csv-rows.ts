// Reads a file as a spreadsheet does: cells between commas, quoted where they must be.
import { text } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';

/** Presses the button and gives the rows of the file that it saves. */
export async function savedRows(page: Page, button: Locator): Promise<readonly string[][]> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return csvRows(await text(await download.createReadStream()));
}

export function csvRows(file: string): readonly string[][] {
  const body = file.replace(/^\ufeff/, '');
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  while (cell.lastIndex < body.length) {
    const match = cell.exec(body);
    if (match === null) throw new Error(`no cell at ${rows.length}`);
    const [, quoted, plain = '', end] = match;
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n' && cell.lastIndex < body.length) rows.push([]);
  }
  return rows;
}
