// Bodies that place orders, read and checked in one pass: only such as the parser and the schema would let through.
import {
  limits,
  lineCharacter,
  OrderInput,
  orderTypes,
  selfTradeModes,
  sides,
  timesInForce,
} from '@sibyl/contract';
import { JsonCursor, textRule, wordsOf } from './json-cursor.ts';

/** Null for whatever is not plain beyond doubt, be it right or wrong: that is for the parser and the schema. */
export type BodyReader = (bytes: Buffer, from: number) => object | null;

/** The reader of an operation's bodies; null where there is none. */
export function bodyReaderOf(operationId: string): BodyReader | null {
  if (operationId === 'placeOrder') return readOrderBody;
  return operationId === 'batchOrders' ? readBatchBody : null;
}

type Name = keyof OrderInput;

/** What was not said is undefined, so that all orders have one shape. */
type PlainOrder = { -readonly [Field in Name]-?: OrderInput[Field] | undefined };

interface PlainItem {
  readonly action: 'place';
  readonly order: PlainOrder;
}

const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

const { properties } = OrderInput;

const NAMES = wordsOf(Object.keys(properties) as Name[]);
const SIDES = wordsOf(sides);
const ORDER_TYPES = wordsOf(orderTypes);
const TIMES_IN_FORCE = wordsOf(timesInForce);
const STP_MODES = wordsOf(selfTradeModes);
const ITEMS = wordsOf(['items']);
const ACTION = wordsOf(['action']);
const PLACE = wordsOf(['place']);
const ORDER = wordsOf(['order']);

const MARKET_ID = textRule('m_', /[a-f0-9]/, 12, 16);
const OUTCOME_ID = textRule('', /[a-z0-9_-]/, 1, 64);
const CLIENT_ORDER_ID = textRule('', new RegExp(lineCharacter), 1, limits.clientOrderId.lengthMax);
const SUBACCOUNT_ID = textRule('sub_', /[0-9A-Za-z]/, 1, 40);
const PLACES_MAX = 18;
const LAST_INSTANT_MS = Number(Reflect.get(properties.expires_at_ms, 'maximum'));

function readOrderBody(bytes: Buffer, from: number): PlainOrder | null {
  const cursor = new JsonCursor(bytes, from);
  const order = readOrder(cursor);
  return cursor.isAtEnd ? order : null;
}

/** Batches of nothing but placements, as most are. */
function readBatchBody(bytes: Buffer, from: number): object | null {
  const cursor = new JsonCursor(bytes, from);
  if (!cursor.take(BRACE_OPEN) || cursor.word(ITEMS) === null || !cursor.take(COLON)) return null;
  if (!cursor.take(BRACKET_OPEN)) return null;
  const items: PlainItem[] = [];
  do {
    const order = readItem(cursor);
    if (order === null || items.length === limits.batch.itemsMax) return null;
    items.push({ action: 'place', order });
  } while (cursor.take(COMMA));
  const isWhole = cursor.take(BRACKET_CLOSE) && cursor.take(BRACE_CLOSE) && cursor.isAtEnd;
  return isWhole ? { items, all_or_none: false } : null;
}

function readItem(cursor: JsonCursor): PlainOrder | null {
  if (!cursor.take(BRACE_OPEN) || cursor.word(ACTION) === null || !cursor.take(COLON)) return null;
  if (cursor.word(PLACE) === null || !cursor.take(COMMA)) return null;
  if (cursor.word(ORDER) === null || !cursor.take(COLON)) return null;
  const order = readOrder(cursor);
  // A batch is of one account: what an item says of another is for the schema to refuse.
  if (order === null || order.subaccount_id !== undefined) return null;
  return cursor.take(BRACE_CLOSE) ? order : null;
}

function readOrder(cursor: JsonCursor): PlainOrder | null {
  if (!cursor.take(BRACE_OPEN)) return null;
  const order: PlainOrder = {
    market_id: undefined,
    outcome_id: undefined,
    side: undefined,
    order_type: undefined,
    price: undefined,
    size: undefined,
    client_order_id: undefined,
    time_in_force: undefined,
    expires_at_ms: undefined,
    post_only: undefined,
    reduce_only: undefined,
    stp_mode: undefined,
    max_cost: undefined,
    valid_until_ms: undefined,
    accept_price: undefined,
    builder: undefined,
    mint: undefined,
    subaccount_id: undefined,
    on_behalf_of: undefined,
  };
  do {
    const name = cursor.word(NAMES);
    if (name === null || !cursor.take(COLON) || !readField(cursor, order, name)) return null;
  } while (cursor.take(COMMA));
  return cursor.take(BRACE_CLOSE) && isWhole(order) ? withDefaults(order) : null;
}

/** False for a value that the schema may not allow, and for a field that was there before. */
function readField(cursor: JsonCursor, order: PlainOrder, name: Name): boolean {
  switch (name) {
    case 'market_id':
      if (order.market_id !== undefined) return false;
      order.market_id = cursor.text(MARKET_ID);
      return order.market_id !== undefined;
    case 'outcome_id':
      if (order.outcome_id !== undefined) return false;
      order.outcome_id = cursor.text(OUTCOME_ID);
      return order.outcome_id !== undefined;
    case 'side':
      if (order.side !== undefined) return false;
      order.side = cursor.word(SIDES) ?? undefined;
      return order.side !== undefined;
    case 'order_type':
      if (order.order_type !== undefined) return false;
      order.order_type = cursor.word(ORDER_TYPES) ?? undefined;
      return order.order_type !== undefined;
    case 'price':
      if (order.price !== undefined) return false;
      order.price = cursor.decimal(limits.moneyLengthMax, PLACES_MAX);
      return order.price !== undefined;
    case 'size':
      if (order.size !== undefined) return false;
      order.size = cursor.decimal(limits.moneyLengthMax, PLACES_MAX);
      return order.size !== undefined;
    case 'client_order_id':
      if (order.client_order_id !== undefined) return false;
      order.client_order_id = cursor.text(CLIENT_ORDER_ID);
      return order.client_order_id !== undefined;
    default:
      return readTerm(cursor, order, name);
  }
}

/** The fields that few orders have. */
function readTerm(cursor: JsonCursor, order: PlainOrder, name: Name): boolean {
  if (order[name] !== undefined) return false;
  switch (name) {
    case 'time_in_force':
      order.time_in_force = cursor.word(TIMES_IN_FORCE) ?? undefined;
      break;
    case 'expires_at_ms':
      order.expires_at_ms = cursor.integer(LAST_INSTANT_MS);
      break;
    case 'post_only':
      order.post_only = cursor.boolean();
      break;
    case 'accept_price':
      order.accept_price = cursor.boolean();
      break;
    case 'reduce_only':
      order.reduce_only = cursor.boolean();
      break;
    case 'stp_mode':
      order.stp_mode = cursor.word(STP_MODES) ?? undefined;
      break;
    case 'max_cost':
      order.max_cost = cursor.decimal(limits.moneyLengthMax, PLACES_MAX);
      break;
    case 'valid_until_ms':
      order.valid_until_ms = cursor.integer(LAST_INSTANT_MS);
      break;
    case 'subaccount_id':
      order.subaccount_id = cursor.text(SUBACCOUNT_ID);
      break;
    default:
      return false;
  }
  return order[name] !== undefined;
}

function isWhole({ market_id, outcome_id, side, order_type, price, size }: PlainOrder): boolean {
  if (market_id === undefined || outcome_id === undefined || side === undefined) return false;
  if (order_type === undefined || size === undefined) return false;
  return order_type !== 'limit' || price !== undefined;
}

function withDefaults(order: PlainOrder): PlainOrder {
  order.post_only ??= false;
  order.reduce_only ??= false;
  order.accept_price ??= false;
  order.stp_mode ??= 'cancel_resting';
  return order;
}
