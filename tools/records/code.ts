// Helpers for generated code: names, types and the bits of an order's traits.
import type { Field } from './order.ts';

export const HEADER =
  '// Written by tools/records/main.ts from tools/records/order.ts; whoever changes an order changes it there.\n';

/** `timeInForce` as `TIME_IN_FORCE`. */
export function constantOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

export function typeOf({ type, isOptional }: Field): string {
  return isOptional ? `${type} | null` : type;
}

/** The constant that holds the bit of an optional field. */
export function givenBit({ name }: Field): string {
  return `${constantOf(name)}_GIVEN`;
}

export function codesName({ name }: Pick<Field, 'name'>): string {
  return `${constantOf(name)}_CODES`;
}

export function bitsOf({ name, bits }: Pick<Field, 'name' | 'bits'>): {
  at: number;
  width: number;
} {
  if (bits === undefined) throw new Error(`${name} has no bits`);
  return bits;
}

export function members(fields: readonly Field[], type = typeOf): string {
  return fields
    .map((field) => `${about(field)}  readonly ${field.name}: ${type(field)};\n`)
    .join('');
}

function about({ about: text }: Field): string {
  return text === undefined ? '' : `  /** ${text} */\n`;
}

/** Words of few are told by comparing, which the compiler of the engine makes the least of. */
export function codeOf(field: Field, value: string): string {
  const codes = Object.entries(field.codes ?? {});
  if (codes.length > 4) return `${codesName(field)}[${value}] ?? -1`;
  return `${codes.map(([word, code]) => `${value} === '${word}' ? ${code} : `).join('')}-1`;
}

/** What the traits say of a word; the last of few stands for the rest. */
export function wordOf(field: Field, traits: string): string {
  const { at, width } = bitsOf(field);
  const bits = `(${traits} >> ${at}) & ${2 ** width - 1}`;
  const words = Object.keys(field.codes ?? {});
  if (words.length !== 2) return `${constantOf(field.name)}_WORDS[${bits}]`;
  return `(${traits} & ${2 ** at}) === 0 ? '${words[0]}' : '${words[1]}'`;
}

export function flagOf(field: Field, traits: string): string {
  return `(${traits} & ${2 ** bitsOf(field).at}) !== 0`;
}
