// What history is given: the columns of an order's row, and the code that fills and reads them.
import { constantOf, givenBit, HEADER, members, typeOf } from './code.ts';
import { type Field, fieldsIn } from './order.ts';

const kept = fieldsIn('history');
/** Names lie in a row as numbers. */
const named: Readonly<Record<string, string>> = {
  accountId: 'account',
  marketId: 'market',
  outcomeId: 'outcome',
  keyId: 'key',
  builderAppId: 'app',
};
/** What changes while the order lives has columns of its own; the other choices lie in its traits. */
const changing = ['status', 'rejectReason', 'cancelReason'];
const choices = kept.filter(({ kind, name }) => isChoice(kind) && !changing.includes(name));
const numbers = kept.filter(
  ({ kind, name }) => (kind === 'number' || kind === 'amount') && name !== 'orderId',
);
/** The first is the id, by which rows are chained; the owner is the page's, and the client's name its text. */
const columns = [
  'orderId',
  'market',
  'outcome',
  'key',
  'app',
  'traits',
  'status',
  'reason',
  ...numbers.map(({ name }) => name),
  'updatedAtMs',
];

function isChoice(kind: Field['kind']): boolean {
  return kind === 'word' || kind === 'flag';
}

export function orderRow(): string {
  const amounts = numbers
    .filter(({ kind }) => kind === 'amount')
    .map(({ name }) => columns.indexOf(name));
  return `${HEADER}import {
${[
  ...choices.map(({ name }) => `${name}Of`),
  'CANCEL_REASON_CODES',
  'CANCEL_REASON_WORDS',
  'REJECT_REASON_WORDS',
  'STATUS_WORDS',
  'REJECT_REASON_CODES',
  'STATUS_CODES',
  ...kept
    .filter(({ isOptional, kind }) => isOptional && kind !== 'word' && kind !== 'text')
    .map(givenBit),
  'type CancelReason',
  'type OrderStatus',
  'type OrderType',
  'type OrderView',
  'type RejectReason',
  'type Side',
  'type StpMode',
  'type TimeInForce',
  'viewTraits',
]
  .map((name) => `  ${name},\n`)
  .join('')}} from '@sibyl/engine';

/** The columns of an order's row. */
export const ORDER = {
${columns.map((name, index) => `  ${name}: ${index},\n`).join('')}} as const;

export const ORDER_SHAPE = { width: ${columns.length}, amounts: [${amounts.join(', ')}] } as const;

/** As it is read back, with names as numbers; it is brought up to date in its place. */
export interface OrderRow {
  account: number;
  orderId: number;
  market: number;
  outcome: number;
  key: number | null;
  app: number | null;
${choices.map((field) => `  ${field.name}: ${plainType(field)};\n`).join('')}  /** Codes of words. */
  status: number;
  reason: number;
${numbers.map((field) => `  ${field.name}: ${plainType(field)};\n`).join('')}  clientOrderId: string | null;
  updatedAtMs: number;
}

/** As history tells of it. */
export interface PastOrder {
${members(kept, plainType)}  readonly updatedAtMs: number;
}

/** No order ends for two reasons; 0 is none. */
export function reasonCode(reject: RejectReason | null, cancel: CancelReason | null): number {
  if (reject !== null) return REJECT_REASON_CODES[reject];
  return cancel === null ? 0 : CANCEL_REASON_CODES[cancel];
}

/** As loose values, what is no part of the view: an object for every order would be the dearer part. 0 is no key, and no app. */
export function fillOrder(
  numbers: Float64Array,
  amounts: BigInt64Array,
  at: number,
  order: OrderView,
  market: number,
  outcome: number,
  key: number,
  app: number,
): void {
  numbers[at + ${columns.indexOf('market')}] = market;
  numbers[at + ${columns.indexOf('outcome')}] = outcome;
  numbers[at + ${columns.indexOf('key')}] = key;
  numbers[at + ${columns.indexOf('app')}] = app;
  numbers[at + ${columns.indexOf('traits')}] = viewTraits(order);
  numbers[at + ${columns.indexOf('status')}] = STATUS_CODES[order.status];
  numbers[at + ${columns.indexOf('reason')}] = reasonCode(order.rejectReason, order.cancelReason);
${numbers.map(fillLine).join('')}  numbers[at + ${columns.indexOf('updatedAtMs')}] = order.createdAtMs;
}

/** With the names that its numbers stand for. */
export function pastOrder(
  row: OrderRow,
  accountId: string,
  marketId: string,
  outcomeId: string,
  keyId: string | null,
  builderAppId: string | null,
): PastOrder {
  return {
${kept.map((field) => `    ${field.name}${told(field)},\n`).join('')}    updatedAtMs: row.updatedAtMs,
  };
}

/** The cells of a page, whatever holds them. */
interface Cells {
  get(row: number, column: number): number;
  amount(row: number, column: number): bigint;
  text(row: number): string | null;
}

export function readOrder(cells: Cells, row: number, account: number): OrderRow {
  const traits = cells.get(row, ${columns.indexOf('traits')});
  const key = cells.get(row, ${columns.indexOf('key')});
  const app = cells.get(row, ${columns.indexOf('app')});
  return {
    account,
    orderId: cells.get(row, 0),
    market: cells.get(row, ${columns.indexOf('market')}),
    outcome: cells.get(row, ${columns.indexOf('outcome')}),
    key: key === 0 ? null : key,
    app: app === 0 ? null : app,
${choices.map(({ name }) => `    ${name}: ${name}Of(traits),\n`).join('')}    status: cells.get(row, ${columns.indexOf('status')}),
    reason: cells.get(row, ${columns.indexOf('reason')}),
${numbers.map(readLine).join('')}    clientOrderId: cells.text(row),
    updatedAtMs: cells.get(row, ${columns.indexOf('updatedAtMs')}),
  };
}
`;
}

function told({ name, isOptional }: Field): string {
  if (name in named) return '';
  if (!changing.includes(name)) return `: row.${name}`;
  const words = `${constantOf(name)}_WORDS[row.${isOptional ? 'reason' : name}]`;
  return `: ${words}${isOptional ? ' ?? null' : '!'}`;
}

/** Out of the engine amounts and sizes are plain. */
function plainType(field: Field): string {
  const { kind, isOptional } = field;
  if (kind === 'word' || kind === 'flag') return typeOf(field);
  const plain = kind === 'amount' ? 'bigint' : kind === 'text' ? 'string' : 'number';
  return isOptional ? `${plain} | null` : plain;
}

function fillLine(field: Field): string {
  const { name, kind, isOptional } = field;
  const cells = kind === 'amount' ? 'amounts' : 'numbers';
  const absent = kind === 'amount' ? '0n' : '0';
  return `  ${cells}[at + ${columns.indexOf(name)}] = order.${name}${isOptional ? ` ?? ${absent}` : ''};\n`;
}

function readLine(field: Field): string {
  const { name, kind, isOptional } = field;
  const value = `cells.${kind === 'amount' ? 'amount' : 'get'}(row, ${columns.indexOf(name)})`;
  return isOptional
    ? `    ${name}: (traits & ${givenBit(field)}) === 0 ? null : ${value},\n`
    : `    ${name}: ${value},\n`;
}
