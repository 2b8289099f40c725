// The short texts of orders and cancels: they are nearly all that a journal holds, so every byte and every step counts.
import {
  type Actor,
  type BatchItem,
  type CancelOrder,
  COMMAND_LETTERS,
  type Command,
  type CommandBody,
  type CommandKey,
} from '@sibyl/engine';
import { JournalCorrupt } from '../journal/journal.ts';
import { readOrder, writeOrder } from './generated/order.ts';
import type { Names } from './names.ts';
import { writeCount } from './order-parts.ts';
import { commandOf } from './submission.ts';
import type { TextReader } from './text-reader.ts';
import type { TextSheet } from './text-sheet.ts';

/** The forms of these texts; whoever changes one gives it another letter. */
const FORMS = COMMAND_LETTERS;

type Shortened = Extract<Command, { readonly type: keyof typeof FORMS }>;
export type ShortForm = (typeof FORMS)[keyof typeof FORMS];
export type AccountActor = Extract<Actor, { readonly kind: 'account' }>;

/** What a record says beside its body, and a short text does not say again. */
export interface RecordStamp {
  readonly seq: number;
  readonly tsMs: number;
}

/** The form of a command that may have a short text; null for all others. */
export function shortForm(command: Command): ShortForm | null {
  return isShortened(command) && isOwn(command) ? FORMS[command.type] : null;
}

/** Of a command that has such a form. False if it says something that the text cannot express: then it is spelled out. */
export function writeShortText(sheet: TextSheet, command: Command): boolean {
  if (!isShortened(command)) return false;
  const { key } = command;
  if (key === undefined) sheet.plain('0 ');
  else {
    const keyed = JSON.stringify([key.scope, key.key, key.bodyHash] satisfies KeyFields);
    sheet.count(keyed.length);
    sheet.space();
    sheet.text(keyed);
  }
  return writeBody(sheet, command);
}

export function readShortText(
  form: string,
  reader: TextReader,
  names: Names,
  { seq, tsMs }: RecordStamp,
  actor: AccountActor,
): Command {
  const keyLength = reader.number();
  const key = keyLength === 0 ? null : keyOf(reader.take(keyLength));
  const body = readBody(form, reader, names, actor.accountId);
  if (body === null) throw new JournalCorrupt(`record ${seq} has the unknown form ${form}`);
  return commandOf(key === null ? { body, actor } : { body, actor, key }, seq, tsMs);
}

function isShortened(command: Command): command is Shortened {
  const { type } = command;
  return type === 'place_order' || type === 'cancel_order' || type === 'batch';
}

/** The account acts for itself, and its name is nothing that could be taken for another actor or end where the key begins. */
function isOwn({ actor, accountId }: Shortened): boolean {
  if (actor.kind !== 'account' || actor.accountId !== accountId) return false;
  const isPlain = accountId.startsWith('acc_') || accountId.startsWith('sub_');
  if (!isPlain || accountId.includes(' ') || !accountId.isWellFormed()) return false;
  return actor.keyId === null || actor.keyId.isWellFormed();
}

function writeBody(sheet: TextSheet, command: Shortened): boolean {
  switch (command.type) {
    case 'place_order':
      return writeOrder(sheet, command);
    case 'cancel_order':
      return command.grantId === undefined && writeCount(sheet, command.orderId);
    case 'batch': {
      const { items, accountId } = command;
      writeCount(sheet, items.length);
      writeCount(sheet, command.allOrNone ? 1 : 0);
      for (let index = 0; index < items.length; index += 1) {
        const item = items[index]!;
        if (item.type !== 'place_order' || item.accountId !== accountId) return false;
        if (!writeOrder(sheet, item)) return false;
      }
      return true;
    }
  }
}

function readBody(
  form: string,
  reader: TextReader,
  names: Names,
  accountId: AccountActor['accountId'],
): CommandBody | null {
  switch (form) {
    case FORMS.place_order:
      return readOrder(reader, names, accountId);
    case FORMS.cancel_order:
      return {
        type: 'cancel_order',
        accountId,
        orderId: reader.number() as CancelOrder['orderId'],
      };
    case FORMS.batch: {
      const count = reader.number();
      const allOrNone = reader.number() === 1;
      const items: BatchItem[] = [];
      for (let index = 0; index < count; index += 1)
        items.push(readOrder(reader, names, accountId));
      return { type: 'batch', accountId, items, allOrNone };
    }
    default:
      return null;
  }
}

type KeyFields = readonly [scope: string, key: string, bodyHash: string];
function keyOf(text: string): CommandKey {
  const [scope, key, bodyHash] = JSON.parse(text) as KeyFields;
  return { scope, key, bodyHash };
}
