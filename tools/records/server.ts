// What the server is given: an order as the object that clients get, and the same written straight into a reply.
import { constantOf, HEADER } from './code.ts';
import { WIRE, type WireField } from './wire.ts';

/** The moments of an order: mostly those of the order before, so that they are kept as bytes. */
const FIRST_MOMENT = WIRE.findIndex(({ name }) => name === 'created_at');
const moments = WIRE.slice(FIRST_MOMENT);

export function orderAnswer(): string {
  const spelled = new Spelled();
  for (const run of runsOf(WIRE.slice(0, FIRST_MOMENT))) spelled.addRun(run);
  return `${HEADER}import type { Order as WireOrder } from '@sibyl/contract';
import { pieceOf, type TextSheet } from '@sibyl/lane';
import { amountText, lotsText, pipsText, priceText, spellAmount } from '../amounts.ts';
import { orderIdText } from '../ids.ts';
import { averagePrice, type OrderFacts, reservedMicro, spellMoments } from '../order-facts.ts';
import { CANCEL_REASONS, REJECT_REASONS } from '../order-words.ts';
import { isoTime } from '../times.ts';

export function wireOrder(order: OrderFacts, updatedAtMs: number): WireOrder {
  return {
${WIRE.map((field) => `    ${field.name}: ${composed(field)},\n`).join('')}  };
}

/** The bytes that its schema would make of the object, without the object in between. */
export function spellOrder(sheet: TextSheet, order: OrderFacts, updatedAtMs: number): void {
${spelled.body()}  spellMoments(sheet, order.createdAtMs, updatedAtMs, momentsText);
}

function momentsText(createdAtMs: number, updatedAtMs: number): string {
  return \`${moments.map((field) => `,"${field.name}":${inText({ ...field, value: field.value.replace('order.', '') })}`).join('')}}\`;
}

${spelled.constants()}`;
}

function composed({ as, value, isOptional }: WireField): string {
  const made: Readonly<Record<WireField['as'], string>> = {
    id: `orderIdText(${value})`,
    text: value,
    word: value,
    reason: `${reasonsOf(value)}[${value}]`,
    pips: `pipsText(${value})`,
    lots: `lotsText(${value})`,
    micro: `priceText(${value})`,
    price: `priceText(${value})`,
    amount: `amountText(${value})`,
    flag: value,
    number: value,
    time: `isoTime(${value})`,
    null: 'null',
  };
  if (!isOptional || made[as] === value) return made[as];
  // An average is worked out for this only, and there is none of nothing.
  const test = as === 'price' ? 'order.filledLots === 0' : `${value} === null`;
  return `${test} ? null : ${made[as]}`;
}

function reasonsOf(value: string): string {
  return value.includes('reject') ? 'REJECT_REASONS' : 'CANCEL_REASONS';
}

/** As part of a template: amounts, times and words of the contract need no escapes. */
function inText(field: WireField): string {
  const { as, value, isOptional } = field;
  if (as === 'null') return 'null';
  if (as === 'flag' || as === 'number') return `\${${value}}`;
  const text = as === 'word' ? value : composed({ ...field, isOptional: false });
  return isOptional ? `\${${value} === null ? 'null' : \`"\${${text}}"\`}` : `"\${${text}}"`;
}

/** Fields side by side that have something usual stand together; every other alone. */
function runsOf(fields: readonly WireField[]): WireField[][] {
  const runs: WireField[][] = [];
  for (const field of fields) {
    const last = runs.at(-1);
    if (last?.[0]?.usual !== undefined && field.usual !== undefined) last.push(field);
    else runs.push([field]);
  }
  return runs;
}

/** Statements that write, with what is always the same gathered into as few pieces as can be. */
class Spelled {
  readonly #lines: string[] = [];
  #depth = 1;
  readonly #constants: string[] = [];
  /** Not written yet. */
  #waiting = '{';

  body(): string {
    this.#flush();
    return this.#lines.join('');
  }

  constants(): string {
    return this.#constants.join('');
  }

  addRun(run: readonly WireField[]): void {
    if (run.length < 2) {
      for (const field of run) this.#add(field);
      return;
    }
    const tests = [...new Set(run.map(({ usual }) => usual!.test))];
    const before = this.#waiting;
    const first = run[0]!.name;
    const usual = run
      .map(({ name, usual: is }) => `${comma(before)}"${name}":${is!.text}`)
      .join('');
    this.#line(
      `if (${tests.join(' && ')}) sheet.bytes(${this.#piece(`usual_${first}`, before + usual)});`,
    );
    if (run.some(({ as }) => as === 'price' || as === 'lots')) {
      this.#block(() => {
        for (const field of run) this.#add(field);
      });
    } else {
      const text = run.map((field) => `,"${field.name}":${inText(field)}`).join('');
      this.#line(`else sheet.plain(\`${before}${text}\`);`);
    }
    this.#waiting = '';
  }

  #add(field: WireField): void {
    const { name, as, value, isOptional } = field;
    this.#waiting += `${this.#waiting === '{' ? '' : ','}"${name}":`;
    if (as === 'word') this.#addWord(field);
    else if (isOptional) {
      const before = this.#waiting;
      const test = as === 'price' ? 'order.filledLots === 0' : `${value} === null`;
      this.#line(`if (${test}) sheet.bytes(${this.#piece(`no_${name}`, `${before}null`)});`);
      this.#block(() => this.#write(field));
    } else this.#write(field);
  }

  /** A piece for each word, with what stands before it. */
  #addWord({ name, words, value }: WireField): void {
    const before = this.#waiting;
    const pieces = words!.map((word) => `  ${word}: pieceOf('${before}"${word}"'),\n`).join('');
    this.#waiting = '';
    this.#constants.push(`const ${name.toUpperCase()} = {\n${pieces}};\n`);
    this.#line(`sheet.bytes(${name.toUpperCase()}[${value}]);`);
  }

  #write({ as, value }: WireField): void {
    const calls: Partial<Record<WireField['as'], string>> = {
      id: `sheet.sixteen(${value});`,
      pips: `sheet.micro(${value} * 100);`,
      lots: `sheet.micro(${value} * 10_000);`,
      micro: `sheet.micro(${value});`,
      price: `sheet.micro(${value});`,
      amount: `spellAmount(sheet, ${value});`,
    };
    if (as === 'text') {
      this.#flush();
      this.#line(`sheet.quoted(${value});`);
      return;
    }
    const call = calls[as];
    if (call === undefined) throw new Error(`nothing spells a ${as} by itself`);
    this.#waiting += as === 'id' ? '"ord_' : '"';
    this.#flush();
    this.#line(call);
    this.#waiting = '"';
  }

  #flush(): void {
    if (this.#waiting === '') return;
    this.#line(`sheet.bytes(${this.#piece(`text_${this.#constants.length}`, this.#waiting)});`);
    this.#waiting = '';
  }

  #piece(name: string, text: string): string {
    const constant = constantOf(name);
    this.#constants.push(`const ${constant} = pieceOf('${text}');\n`);
    return constant;
  }

  #block(write: () => void): void {
    this.#line('else {');
    this.#depth += 1;
    write();
    this.#flush();
    this.#depth -= 1;
    this.#line('}');
  }

  #line(line: string): void {
    this.#lines.push(`${'  '.repeat(this.#depth)}${line}\n`);
  }
}

function comma(before: string): string {
  return before === '{' ? '' : ',';
}
