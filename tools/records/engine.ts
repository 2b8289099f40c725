// What the engine is given: the types of an order's forms, its traits in bits, and the code that fills each form.
import {
  bitsOf,
  codeOf,
  codesName,
  constantOf,
  flagOf,
  givenBit,
  HEADER,
  members,
  typeOf,
  wordOf,
} from './code.ts';
import { FILL_VENUE, type Field, fieldsIn, ORDER } from './order.ts';

const words = ORDER.filter(({ kind }) => kind === 'word');
const view = fieldsIn('view');
const placed = fieldsIn('placed');
/** What all orders of one kind share: their bits are the lowest but for the side. */
const kind = placed.filter(
  (field) => isChoice(field) && field.name !== 'side' && field.in.includes('snapshot'),
);

function isChoice({ kind: of }: Field): boolean {
  return of === 'word' || of === 'flag';
}

/** `order.ts`: types and traits. */
export function orderTypes(): string {
  return `${HEADER}import type { Lots, Pips, Usdt } from '@sibyl/money';
import type { BuilderFee, GrantTerms, TierCaps } from '../state/command.ts';
import type { AccountId, MarketId, OrderId, OutcomeId, Side } from '../kit/identity.ts';

${[...words.filter(({ name }) => name !== 'side'), FILL_VENUE].map(unionOf).join('\n')}
/** Whose caps an order counts against. */
export type CredentialName = Pick<TierCaps, 'tier' | 'keyId'>;

export interface PlaceOrder {
  readonly type: 'place_order';
${members(placed)}}

/** An order as of the event that carries it. */
export interface OrderView {
${members(view)}}

/** An open order in a snapshot. */
export interface OrderRecord {
  readonly is: 'order';
${members(fieldsIn('snapshot'))}}

/** How an order behaves. */
export interface OrderKind {
${members(kind)}}

${ORDER.filter(hasGivenBit).map(givenLine).join('')}
${[...words.filter(isTabled), FILL_VENUE].map(codesOf).join('\n')}
/** The kind's bits, in the place that they have in the traits; negative for one that has no bits. */
export function kindTraits(order: OrderKind): number {
${traitLines(kind)}}

/** Side and kind, and which optional fields are given; negative for a word that has no code. */
export function placedTraits(order: PlaceOrder): number {
${traitLines(placed)}}

export function viewTraits(order: OrderView): number {
${traitLines(view)}}

export function kindOf(traits: number): OrderKind {
  return {
${kind.map((field) => `    ${field.name}: ${choiceOf(field)},\n`).join('')}  };
}

${view
  .filter(isChoice)
  .concat(placed.filter((field) => isChoice(field) && !field.in.includes('view')))
  .map(readerOf)
  .join('\n')}`;
}

function hasGivenBit({ isOptional, bits, kind: of }: Field): boolean {
  return isOptional === true && bits !== undefined && of !== 'word';
}

function givenLine(field: Field): string {
  return `export const ${givenBit(field)} = ${2 ** bitsOf(field).at};\n`;
}

function unionOf({ type, codes }: Pick<Field, 'type' | 'codes'>): string {
  return `export type ${type} = ${Object.keys(codes ?? {})
    .map((word) => `'${word}'`)
    .join(' | ')};\n`;
}

function isTabled({ codes }: Field): boolean {
  return Object.keys(codes ?? {}).length > 2;
}

function codesOf(field: Pick<Field, 'name' | 'type' | 'codes'>): string {
  const codes = Object.entries(field.codes ?? {});
  const name = constantOf(field.name);
  const known = codes.map(([word, code]) => `${word}: ${code}`).join(', ');
  const listed: string[] = [];
  for (const [word, code] of codes) listed[code] = `'${word}'`;
  const all = Array.from(listed, (word) => word ?? 'null').join(', ');
  const type = codes.some(([, code]) => code === 0) ? field.type : `${field.type} | null`;
  return `export const ${codesName(field)}: Readonly<Record<${type.replace(' | null', '')}, number>> = { ${known} };
export const ${name}_WORDS: readonly (${type})[] = [${all}];
`;
}

/** The traits of `order`: its words first, so that an unknown one is seen before anything is put together. */
function traitLines(fields: readonly Field[]): string {
  const choices = fields.filter(isChoice);
  const codes = choices.map((field) => `  const ${field.name} = ${choiceCode(field)};\n`);
  const bits = fields.flatMap((field) => bitsLine(field));
  return `${codes.join('')}  if ((${choices.map(({ name }) => name).join(' | ')}) < 0) return -1;
  return (
${bits.join(' |\n')}
  );
`;
}

function choiceCode(field: Field): string {
  const value = `order.${field.name}`;
  if (field.kind === 'flag') return `${value} === true ? 1 : ${value} === false ? 0 : -1`;
  return field.isOptional
    ? `${value} === null ? 0 : (${codeOf(field, value)})`
    : codeOf(field, value);
}

function bitsLine(field: Field): readonly string[] {
  if (isChoice(field)) {
    const { at } = bitsOf(field);
    return [at === 0 ? `    ${field.name}` : `    (${field.name} << ${at})`];
  }
  return hasGivenBit(field) ? [`    (order.${field.name} === null ? 0 : ${givenBit(field)})`] : [];
}

function choiceOf(field: Field): string {
  if (field.kind === 'flag') return flagOf(field, 'traits');
  return isTabled(field) ? `${wordOf(field, 'traits')}!` : wordOf(field, 'traits');
}

function readerOf(field: Field): string {
  const of = field.isOptional
    ? `${constantOf(field.name)}_WORDS[(traits >> ${bitsOf(field).at}) & ${2 ** bitsOf(field).width - 1}] ?? null`
    : choiceOf(field);
  return `export function ${field.name}Of(traits: number): ${typeOf(field)} {
  return ${of};
}
`;
}

/** `order-forms.ts`: an open order as a view and as a record, and a view as numbers. */
export function orderForms(): string {
  const snapshot = fieldsIn('snapshot');
  const given = view.filter(({ live }) => live === undefined);
  const numbers = view.filter(({ kind: of }) => of === 'number' || of === 'amount');
  const texts = view.filter(({ kind: of }) => of === 'text');
  return `${HEADER}import { type Lots, type Pips, type Usdt, usdt } from '@sibyl/money';
import type { AccountId, MarketId, OrderId, OutcomeId } from '../kit/identity.ts';
import { micro } from '../kit/micro.ts';
import { createdAtMs, credentialName, filledCostOf, grantIdOf, type Order, restingSinceMs } from '../state/order.ts';
import {
${[
  ...new Set([
    'type CancelReason',
    'type OrderRecord',
    'type OrderView',
    'type RejectReason',
    'viewTraits',
    ...numbers.filter(hasGivenBit).map(givenBit),
    ...view.filter(isChoice).map(({ name }) => `${name}Of`),
  ]),
]
  .sort()
  .map((name) => `  ${name},\n`)
  .join('')}} from './order.ts';

/** What its end and its placement said is known only to those who ask for the view then. */
export function viewOrder(
  order: Order,
${['rejectReason', 'cancelReason', 'maxCost']
  .map((name) => given.find((field) => field.name === name)!)
  .map((field) => `  ${field.name}: ${typeOf(field)} = null,\n`)
  .join('')}): OrderView {
  return {
${view.map((field) => (field.live === undefined ? `    ${field.name},\n` : `    ${field.name}: ${field.live},\n`)).join('')}  };
}

export function orderRecord(order: Order): OrderRecord {
  return {
    is: 'order',
${snapshot.map(({ name, live }) => `    ${name}: ${live},\n`).join('')}  };
}

/** Numbers of a packed order: its traits, its id, and the rest. */
export const PACKED_NUMBERS = ${numbers.length + 1};

/** False if an amount is more than a number holds. */
export function packOrder(order: OrderView, numbers: Float64Array, at: number): boolean {
  numbers[at] = viewTraits(order);
${numbers.map((field, index) => `  numbers[at + ${index + 1}] = ${packed(field)};\n`).join('')}  return ${numbers
    .filter(({ kind: of }) => of === 'amount')
    .map((field) => `Number.isSafeInteger(numbers[at + ${numbers.indexOf(field) + 1}]!)`)
    .join(' && ')};
}

export function unpackOrder(
  numbers: Float64Array,
  at: number,
${texts.map((field) => `  ${field.name}: ${typeOf(field)},\n`).join('')}): OrderView {
  const traits = numbers[at]!;
  return {
${view.map((field) => `    ${field.name}${unpacked(field, numbers.indexOf(field) + 1)},\n`).join('')}  };
}
`;
}

function packed({ name, kind: of, isOptional }: Field): string {
  const value = `order.${name}`;
  // exact: what is no safe integer is seen
  if (of === 'amount') return `Number(${isOptional ? `${value} ?? 0n` : value})`;
  return isOptional ? `${value} ?? 0` : value;
}

function unpacked(field: Field, index: number): string {
  if (field.kind === 'text') return '';
  if (isChoice(field)) return `: ${field.name}Of(traits)`;
  const number = `numbers[at + ${index}]!`;
  const value = field.kind === 'amount' ? `usdt(micro(${number}))` : `${number} as ${field.type}`;
  return field.isOptional
    ? `: (traits & ${givenBit(field)}) === 0 ? null : (${value})`
    : `: ${value}`;
}
