// Records that hold amounts as plain numbers, spelled for readers who want amounts: `feeMicro` becomes `fee`.
import { type Usdt, usdt } from '@sibyl/money';
import { micro } from './micro.ts';

/** What a record is spelled as: its own fields, those of micro-USDT as amounts. */
export type Spelled<Fields> = {
  readonly [Name in keyof Fields as Name extends `${infer Amount}Micro`
    ? Amount
    : Name]: Name extends `${string}Micro` ? Usdt : Fields[Name];
};

export function spelled<Fields extends object>(fields: Fields): Spelled<Fields> {
  const entries = Object.entries(fields).map(([name, value]) =>
    name.endsWith(SUFFIX) ? [name.slice(0, -SUFFIX.length), usdt(micro(value))] : [name, value],
  );
  return Object.fromEntries(entries);
}

const SUFFIX = 'Micro';
