// Ids as the interface writes them: numbers of the engine behind a prefix, in sixteen digits.

const DIGITS = 16;
/** What stands before so many digits. */
const ZEROS = Array.from({ length: DIGITS + 1 }, (_, digits) => '0'.repeat(DIGITS - digits));

export function orderIdText(orderId: number): string {
  return `ord_${padded(orderId)}`;
}

export function tradeIdText(tradeId: number): string {
  return `trd_${padded(tradeId)}`;
}

/** The command, then the place of the entry among all that the command moved. */
export function entryIdText(seq: number, number: number): string {
  return `le_${padded(seq)}x${number}`;
}

export function conversionIdText(seq: number): string {
  return `cnv_${padded(seq)}`;
}

export function transferIdText(seq: number): string {
  return `trf_${padded(seq)}`;
}

/** A market has one resolution: its id is the market's, of another kind. */
export function resolutionIdText(marketId: string): string {
  return `res_${marketId.slice('m_'.length)}`;
}

/** The number of an order, or null for text that names none. */
export function parseOrderId(text: string): number | null {
  return numberIn(ORDER_ID.exec(text));
}

/** The number of a trade, or null for text that names none. */
export function parseTradeId(text: string): number | null {
  return numberIn(TRADE_ID.exec(text));
}

/** A reference of the engine's ledger as a client knows the record. */
export function referenceText(reference: string): string {
  if (reference.startsWith('order:')) return orderIdText(Number(reference.slice('order:'.length)));
  if (reference.startsWith('trade:')) return tradeIdText(Number(reference.slice('trade:'.length)));
  return reference.startsWith('account:') ? reference.slice('account:'.length) : reference;
}

const ORDER_ID = /^ord_([0-9]{16})$/;
const TRADE_ID = /^trd_([0-9]{16})$/;

function numberIn(match: RegExpExecArray | null): number | null {
  const number = match === null ? Number.NaN : Number(match[1]);
  return Number.isSafeInteger(number) ? number : null;
}

function padded(value: number): string {
  const digits = `${value}`;
  return `${ZEROS[digits.length] ?? ''}${digits}`;
}
