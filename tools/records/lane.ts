// What a lane is given: an order's short text in the journal, its part of a digest, and a copy of its command.
import { givenBit, HEADER } from './code.ts';
import { type Field, fieldsIn } from './order.ts';

/** The account is the actor, which the record names. */
const placed = fieldsIn('placed').filter(({ name }) => name !== 'accountId');
const numbers = placed.filter(({ kind }) => kind === 'number' || kind === 'amount');
const texts = placed.filter(({ kind }) => kind === 'text' || kind === 'json');
const choices = placed.filter(({ kind }) => kind === 'word' || kind === 'flag');
const view = fieldsIn('view');

/** Traits; then the numbers that are given, the lengths of the texts that are, and these texts. */
export function orderText(): string {
  return `${HEADER}import {
  type Actor,
  type Command,
${[...choices.map(({ name }) => `${name}Of`), ...placed.filter(({ isOptional }) => isOptional).map(givenBit), 'type OrderView', 'type PlaceOrder', 'placedTraits', 'viewTraits'].map((name) => `  ${name},\n`).join('')}} from '@sibyl/engine';
import { add, addAmount, addNumber, addText } from '../digest-sums.ts';
import { JournalCorrupt } from '../../journal/journal.ts';
import type { Names } from '../names.ts';
import { builderOf, builderText, capsOf, capsText, grantOf, grantText, readAmount, writeAmount, writeCount } from '../order-parts.ts';
import type { TextReader } from '../text-reader.ts';
import type { TextSheet } from '../text-sheet.ts';

/** The bits that a placement may have. */
const KNOWN = ${knownBits()};

/** False if the order says something that the text has no room for. */
export function writeOrder(sheet: TextSheet, order: PlaceOrder): boolean {
  const traits = placedTraits(order);
  if (!writeCount(sheet, traits)) return false;
${numbers.map(writeNumber).join('')}${texts
  .filter(({ kind }) => kind === 'json')
  .map(jsonLine)
  .join('')}${texts.map(writeLength).join('')}  return ${texts.map(writeText).join(' && ')};
}

export function readOrder(
  reader: TextReader,
  names: Names,
  accountId: PlaceOrder['accountId'],
): PlaceOrder {
  const traits = reader.number();
  if (traits > KNOWN || (traits & KNOWN) !== traits) {
    throw new JournalCorrupt(\`an order has the traits \${traits}\`);
  }
${numbers.map(readNumber).join('')}${texts.map(readLength).join('')}${texts.map(readText).join('')}  return {
    type: 'place_order',
    accountId,
${placed.map(({ name, kind }) => (kind === 'word' || kind === 'flag' ? `    ${name}: ${name}Of(traits),\n` : `    ${name},\n`)).join('')}  };
}

/** Field by field: a copy of any object costs several times as much. */
export function copyOrder(order: PlaceOrder, actor: Actor, seq: number, atMs: number): Command {
  return {
    seq,
    atMs,
    actor,
    type: 'place_order',
    accountId: order.accountId,
${placed.map(({ name }) => `    ${name}: order.${name},\n`).join('')}  };
}

/** All of an order that an event carries: its traits say which of its fields follow. */
export function addOrder(order: OrderView): void {
  add(viewTraits(order));
${view.flatMap(addField).join('')}}
`;
}

function knownBits(): number {
  return placed.reduce((known, { bits }) => {
    return bits === undefined ? known : known | ((2 ** bits.width - 1) << bits.at);
  }, 0);
}

function condition({ name, isOptional }: Field): string {
  return isOptional ? `order.${name} !== null && ` : '';
}

function writeNumber(field: Field): string {
  const write = field.kind === 'amount' ? 'writeAmount' : 'writeCount';
  return `  if (${condition(field)}!${write}(sheet, order.${field.name})) return false;\n`;
}

function jsonLine({ name }: Field): string {
  return `  const ${name} = order.${name} === null ? '' : ${name}Text(order.${name});\n  if (${name} === null) return false;\n`;
}

function writeLength({ name, kind, isOptional }: Field): string {
  const value = kind === 'json' ? name : `order.${name}`;
  return `  ${isOptional ? `if (order.${name} !== null) ` : ''}writeCount(sheet, ${value}.length);\n`;
}

function writeText({ name, kind, isOptional }: Field): string {
  if (kind === 'json') return `sheet.text(${name})`;
  const write = `sheet.text(order.${name})`;
  return isOptional ? `(order.${name} === null || ${write})` : write;
}

/** Read where it is given; absent otherwise. */
function read(field: Field, value: string): string {
  if (!field.isOptional) return value;
  return `(traits & ${givenBit(field)}) === 0 ? null : ${value}`;
}

function readNumber(field: Field): string {
  const value =
    field.kind === 'amount' ? 'readAmount(reader)' : `(reader.number() as ${asserted(field)})`;
  return `  const ${field.name} = ${read(field, value)};\n`;
}

function asserted({ name, isOptional }: Field): string {
  return isOptional ? `NonNullable<PlaceOrder['${name}']>` : `PlaceOrder['${name}']`;
}

function readLength(field: Field): string {
  const length = `${field.name}Length`;
  if (!field.isOptional) return `  const ${length} = reader.number();\n`;
  return `  const ${length} = (traits & ${givenBit(field)}) === 0 ? 0 : reader.number();\n`;
}

function readText(field: Field): string {
  const { name, kind } = field;
  const piece = `reader.take(${name}Length)`;
  if (kind === 'json') return `  const ${name} = ${read(field, `${name}Of(${piece})`)};\n`;
  // Names of markets and outcomes come again and again; what a client made up does not.
  const value = field.isOptional
    ? `names.copy(${piece})`
    : `(names.known(${piece}) as ${asserted(field)})`;
  return `  const ${name} = ${read(field, value)};\n`;
}

function addField(field: Field): readonly string[] {
  const adders: Partial<Record<Field['kind'], string>> = {
    number: 'addNumber',
    amount: 'addAmount',
    text: 'addText',
  };
  const adder = adders[field.kind];
  if (adder === undefined) return [];
  const line = `${adder}(order.${field.name});\n`;
  return [field.isOptional ? `  if (order.${field.name} !== null) ${line}` : `  ${line}`];
}
