// What a reader of English sees: amounts, worked out apart from the pages, and cells of tables.
import type { Locator } from 'playwright-core';

/** Two places, and never more than there is; less than a cent is said to be so. */
export function cut(amount: string): string {
  if (/^0\.00\d*[1-9]/.test(amount)) return '<0.01';
  return format(amount, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    roundingMode: 'trunc',
  });
}

/** The cell of a row below the title of a column. */
export async function cellOf(row: Locator, table: Locator, column: string): Promise<string> {
  const titles = await table.getByRole('columnheader').allInnerTexts();
  return row.getByRole('cell').nth(titles.indexOf(column)).innerText();
}

function format(amount: string, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat('en', options).format(amount as `${number}`);
}
