// The short texts of orders and cancels: they are nearly all that a journal holds, so every byte and every step counts.
import type {
  Actor,
  BatchItem,
  CancelOrder,
  Command,
  CommandBody,
  CommandKey,
  PlaceOrder,
  TierCaps,
} from '@sibyl/engine';
import { JournalCorrupt } from '../journal/journal.ts';
import type { Names } from './names.ts';
import { commandOf } from './submission.ts';
import type { TextReader } from './text-reader.ts';
import type { TextSheet } from './text-sheet.ts';

/** The forms of these texts; whoever changes one gives it another letter. */
const FORMS = { place_order: 'o', cancel_order: 'c', batch: 'b' } as const;

type Shortened = Extract<Command, { readonly type: keyof typeof FORMS }>;
export type ShortForm = (typeof FORMS)[keyof typeof FORMS];
export type AccountActor = Extract<Actor, { readonly kind: 'account' }>;

/** What a record says beside its body, and a short text does not say again. */
export interface RecordPlace {
  readonly seq: number;
  readonly tsMs: number;
}

/** The form of a command that may have a short text; null for all others. */
export function shortForm(command: Command): ShortForm | null {
  return isShortened(command) && isOwn(command) ? FORMS[command.type] : null;
}

/** Of a command that has such a form. False if it says something that the text has no place for: then it is spelled out. */
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
  { seq, tsMs }: RecordPlace,
  actor: AccountActor,
): Command {
  const keyLength = reader.number();
  const key = keyLength === 0 ? null : keyOf(reader.piece(keyLength));
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
      return writeCount(sheet, command.orderId);
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

const SELL = 1;
const MARKET = 2;
const PRICELESS = 4;
const POST_ONLY = 8;
const REDUCE_ONLY = 16;
const STOP_INCOMING = 32;
const AT_MID = 64;
const NAMED = 128;
const TIME_IN_FORCE = 256;
const TIMES_IN_FORCE = ['gtc', 'gtd', 'ioc', 'fok'] as const;

type KeyFields = readonly [scope: string, key: string, bodyHash: string];
type CapFields = readonly [
  tier: string,
  keyId: string,
  orderMax: string | null,
  dayMax: string | null,
];

/** What few orders say. */
type Extras = readonly [
  expiresAtMs: number | null,
  maxCost: string | null,
  validUntilMs: number | null,
  caps: CapFields | null,
];

const NO_EXTRAS: Extras = [null, null, null, null];

function writeOrder(sheet: TextSheet, order: PlaceOrder): boolean {
  const { marketId, outcomeId, clientOrderId } = order;
  if (order.builder !== null) return false;
  const name = clientOrderId ?? '';
  const extras = extrasText(order);
  const counts =
    writeCount(sheet, flagsOf(order)) &&
    writeCount(sheet, order.price ?? 0) &&
    writeCount(sheet, order.lots);
  if (!counts) return false;
  writeCount(sheet, marketId.length);
  writeCount(sheet, outcomeId.length);
  writeCount(sheet, name.length);
  writeCount(sheet, extras.length);
  // What is not well formed does not come back from a file as it was.
  return sheet.text(marketId) && sheet.text(outcomeId) && sheet.text(name) && sheet.text(extras);
}

/** Any other number is spelled out in a long text. */
function writeCount(sheet: TextSheet, value: number): boolean {
  if (!Number.isSafeInteger(value) || value < 0) return false;
  sheet.count(value);
  sheet.space();
  return true;
}

/** Negative for an order of a kind that has no flag. */
function flagsOf(order: PlaceOrder): number {
  const { side, orderType, stpMode, execution } = order;
  const time = TIMES_IN_FORCE.indexOf(order.timeInForce);
  if (time < 0 || (side !== 'sell' && side !== 'buy')) return -1;
  if (orderType !== 'limit' && orderType !== 'market') return -1;
  if (stpMode !== 'cancel_resting' && stpMode !== 'cancel_incoming') return -1;
  if (execution !== 'hybrid' && execution !== 'mid') return -1;
  return (
    (side === 'sell' ? SELL : 0) |
    (orderType === 'market' ? MARKET : 0) |
    (order.price === null ? PRICELESS : 0) |
    (order.postOnly ? POST_ONLY : 0) |
    (order.reduceOnly ? REDUCE_ONLY : 0) |
    (stpMode === 'cancel_incoming' ? STOP_INCOMING : 0) |
    (execution === 'mid' ? AT_MID : 0) |
    (order.clientOrderId === null ? 0 : NAMED) |
    (time * TIME_IN_FORCE)
  );
}

function readOrder(
  reader: TextReader,
  names: Names,
  accountId: PlaceOrder['accountId'],
): PlaceOrder {
  const flags = reader.number();
  const price = reader.number() as NonNullable<PlaceOrder['price']>;
  const lots = reader.number() as PlaceOrder['lots'];
  const marketLength = reader.number();
  const outcomeLength = reader.number();
  const nameLength = reader.number();
  const extrasLength = reader.number();
  const marketId = names.known(reader.piece(marketLength)) as PlaceOrder['marketId'];
  const outcomeId = names.known(reader.piece(outcomeLength));
  const name = reader.piece(nameLength);
  const timeInForce = TIMES_IN_FORCE[flags >> 8];
  if (timeInForce === undefined) throw new JournalCorrupt(`an order has the flags ${flags}`);
  const extras =
    extrasLength === 0 ? NO_EXTRAS : (JSON.parse(reader.piece(extrasLength)) as Extras);
  const caps = extras[3];
  return {
    type: 'place_order',
    accountId,
    marketId,
    outcomeId,
    side: (flags & SELL) === 0 ? 'buy' : 'sell',
    orderType: (flags & MARKET) === 0 ? 'limit' : 'market',
    price: (flags & PRICELESS) === 0 ? price : null,
    lots,
    timeInForce,
    expiresAtMs: extras[0],
    postOnly: (flags & POST_ONLY) !== 0,
    reduceOnly: (flags & REDUCE_ONLY) !== 0,
    stpMode: (flags & STOP_INCOMING) === 0 ? 'cancel_resting' : 'cancel_incoming',
    maxCost: amountOf(extras[1]),
    validUntilMs: extras[2],
    clientOrderId: (flags & NAMED) === 0 ? null : names.copy(name),
    builder: null,
    caps: caps === null ? null : capsOf(caps),
    execution: (flags & AT_MID) === 0 ? 'hybrid' : 'mid',
  };
}

function extrasText({ expiresAtMs, maxCost, validUntilMs, caps }: PlaceOrder): string {
  if (expiresAtMs === null && maxCost === null && validUntilMs === null && caps === null) return '';
  const cost = maxCost === null ? null : maxCost.toString();
  const extras: Extras = [expiresAtMs, cost, validUntilMs, caps === null ? null : fieldsOf(caps)];
  return JSON.stringify(extras);
}

function fieldsOf({ tier, keyId, orderMax, dayMax }: TierCaps): CapFields {
  return [tier, keyId, orderMax?.toString() ?? null, dayMax?.toString() ?? null];
}

function capsOf([tier, keyId, orderMax, dayMax]: CapFields): TierCaps {
  return { tier, keyId, orderMax: amountOf(orderMax), dayMax: amountOf(dayMax) };
}

function amountOf(text: string | null): PlaceOrder['maxCost'] {
  return text === null ? null : (BigInt(text) as PlaceOrder['maxCost']);
}

function keyOf(text: string): CommandKey {
  const [scope, key, bodyHash] = JSON.parse(text) as KeyFields;
  return { scope, key, bodyHash };
}
