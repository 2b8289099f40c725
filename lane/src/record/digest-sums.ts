// Accumulates the sums of a digest, and says how plain values enter them.

/** Words that stand before what follows, so that nothing can pass for another. */
const ABSENT = 0x0a;
const WIDE = 0x0e;
const LONG = 0x0f;
const OTHER = 0x10;
export const LIST = 0x11;
export const OBJECT = 0x12;
export const TEXT = 0x13;
export const NUMBER = 0x14;
const AMOUNT = 0x15;
export const FLAG = 0x16;

const TWO_TO_32 = 0x1_0000_0000;

/** Two sums with multipliers of their own; kept apart from any closure, so that they are never boxed. */
export const sums = new Int32Array(2);

export function begin(): void {
  sums[0] = 0x2545f491;
  sums[1] = 0x5bd1e995;
}

export function add(word: number): void {
  sums[0] = firstOf(sums[0]!, word);
  sums[1] = secondOf(sums[1]!, word);
}

export function firstOf(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

export function secondOf(sum: number, word: number): number {
  return Math.imul(((sum << 13) | (sum >>> 19)) ^ word, 0x85ebca77);
}

export function digest(): string {
  const first = sums[0]!;
  const second = sums[1]!;
  // Small signed integers are the cheapest numbers to write.
  return `${finish(first ^ second)}.${finish((second + Math.imul(first, 5)) | 0)}`;
}

function finish(sum: number): number {
  let mixed = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

export function addNumber(value: number): void {
  if ((value | 0) === value && !Object.is(value, -0)) {
    add(value);
  } else if (Number.isSafeInteger(value) && value !== 0) {
    add(WIDE);
    add(value | 0);
    add(Math.floor(value / TWO_TO_32) | 0);
  } else {
    add(OTHER);
    addText(String(value));
  }
}

export function addAmount(amount: bigint): void {
  const value = Number(amount);
  if (Number.isSafeInteger(value)) addNumber(value);
  else {
    add(LONG);
    addText(amount.toString());
  }
}

export function addFlag(flag: boolean): void {
  add(flag ? 1 : 0);
}

/** Two characters to a word, behind the length. */
export function addText(text: string | null): void {
  if (text === null) {
    add(-1);
    return;
  }
  const { length } = text;
  let first = firstOf(sums[0]!, length);
  let second = secondOf(sums[1]!, length);
  // Never beyond the end: V8 gives up its own short way to a character for all that ever asked for one there.
  const whole = length - (length & 1);
  for (let at = 0; at < whole; at += 2) {
    const word = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
    first = firstOf(first, word);
    second = secondOf(second, word);
  }
  if (whole < length) {
    const last = text.charCodeAt(whole);
    first = firstOf(first, last);
    second = secondOf(second, last);
  }
  sums[0] = first;
  sums[1] = second;
}

/** Any value of plain data: kind before value, names before fields. */
export function walk(value: unknown): void {
  switch (typeof value) {
    case 'string':
      add(TEXT);
      addText(value);
      return;
    case 'number':
      add(NUMBER);
      addNumber(value);
      return;
    case 'bigint':
      add(AMOUNT);
      addAmount(value);
      return;
    case 'boolean':
      add(FLAG);
      addFlag(value);
      return;
    case 'object':
      break;
    default:
      add(OTHER);
      addText(String(value));
      return;
  }
  if (value === null) add(ABSENT);
  else if (Array.isArray(value)) {
    add(LIST);
    add(value.length);
    for (const element of value) walk(element);
  } else {
    const fields = Object.entries(value);
    add(OBJECT);
    add(fields.length);
    for (const [name, field] of fields) {
      addText(name);
      walk(field);
    }
  }
}
