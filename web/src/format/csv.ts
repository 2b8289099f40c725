// Tables as files that spreadsheets read, and in which no cell can become a formula.

const PLAIN_NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;
/** What a spreadsheet may take for the beginning of a formula, in either width, also behind a blank. */
const FORMULA = /^[\s\u200e\u200f]*[=+\-@＝＋－＠]|^[\t\r\n]/;
/** Some spreadsheets take a semicolon or a tab for the end of a cell. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
/** Without it some spreadsheets take UTF-8 for something else. */
const BYTE_ORDER_MARK = '\ufeff';

export function csvOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((cells) => cells.map(csvCell).join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

/** A negative number stays a number; anything else that looks like a formula gets an apostrophe in front. */
export function csvCell(text: string): string {
  const safe = !PLAIN_NUMBER.test(text) && FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
