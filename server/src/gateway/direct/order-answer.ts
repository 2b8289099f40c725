// The answers to placed orders as text, spelled out: the same bytes that the serializers of their schemas would write.
import type { OperationOutput, Order, PlacedOrder } from '@sibyl/contract';
import type { Envelope, EnvelopeMeta } from '../envelope.ts';

type Serialize = (envelope: unknown) => string;
type BatchAnswer = OperationOutput<'batchOrders'>;

export interface Written {
  readonly text: string;
  /** Whether it is known to be of as many bytes as characters. */
  readonly isAscii: boolean;
}

export type Write = (envelope: unknown) => Written;

/** Of any answer, by its serializer. */
export function answerWriter(serialize: Serialize): Write {
  return (envelope) => ({ text: serialize(envelope), isAscii: false });
}

/** Writes placed orders by itself and everything else, such as a preview, by the serializer. */
export function orderAnswerWriter(serialize: Serialize): Write {
  const writeOther = answerWriter(serialize);
  return (envelope) => {
    const { data, meta } = envelope as Envelope & { readonly data: PlacedOrder };
    if (data.preview !== undefined || data.chain_data !== null) return writeOther(envelope);
    const isAscii = hasPlainNames(data);
    const text = `{"ok":true,"data":${orderText(data, isAscii)},"meta":${metaText(meta)},"error":null}`;
    return { text, isAscii };
  };
}

/** Writes batches in which every item did what it should. */
export function batchAnswerWriter(serialize: Serialize): Write {
  const writeOther = answerWriter(serialize);
  return (envelope) => {
    const { data, meta } = envelope as Envelope & { readonly data: BatchAnswer };
    const { results, succeeded } = data;
    let items = '';
    let isAscii = true;
    for (const { ok, action, data: order } of results) {
      if (!ok || order === null || order.chain_data !== null) return writeOther(envelope);
      const isPlain = hasPlainNames(order);
      isAscii &&= isPlain;
      const item = `{"ok":true,"action":"${action}","data":${orderText(order, isPlain)},"error":null}`;
      items = items === '' ? item : `${items},${item}`;
    }
    const text = `{"ok":true,"data":{"results":[${items}],"succeeded":${succeeded},"failed":0},"meta":${metaText(meta)},"error":null}`;
    return { text, isAscii };
  };
}

function metaText({ request_id, server_ts_ms, fill_venue }: EnvelopeMeta): string {
  const venue = fill_venue === undefined ? '' : `,"fill_venue":"${fill_venue}"`;
  return `{"request_id":"${request_id}","server_ts_ms":${server_ts_ms}${venue}}`;
}

/** Amounts, times and words of the contract need no escapes; names that somebody chose may. */
function orderText(order: Order, isPlain: boolean): string {
  const { market_id, outcome_id, client_order_id } = order;
  const market = isPlain ? `"${market_id}"` : JSON.stringify(market_id);
  const outcome = isPlain ? `"${outcome_id}"` : JSON.stringify(outcome_id);
  const name =
    isPlain && client_order_id !== null ? `"${client_order_id}"` : JSON.stringify(client_order_id);
  return `{"order_id":"${order.order_id}","market_id":${market},"outcome_id":${outcome},"side":"${order.side}","order_type":"${order.order_type}","price":${word(order.price)},"size":"${order.size}",${progressText(order)}"reserved":"${order.reserved}","client_order_id":${name},${termsText(order)}${timesText(order)}`;
}

/** How far it got: mostly nowhere yet. */
function progressText(order: Order): string {
  const { status, filled_size, remaining_size, avg_fill_price, fee_paid } = order;
  const isUntouched = status === 'pending' && filled_size === NOTHING && fee_paid === NOTHING;
  return isUntouched && avg_fill_price === null
    ? `"status":"pending","filled_size":"0.000000","remaining_size":"${remaining_size}","avg_fill_price":null,"fee_paid":"0.000000",`
    : `"status":"${status}","filled_size":"${filled_size}","remaining_size":"${remaining_size}","avg_fill_price":${word(avg_fill_price)},"fee_paid":"${fee_paid}",`;
}

const NOTHING = '0.000000';

/** Orders of one moment have the same times: they are written once. */
let lastTimes = { created_at: '', created_at_ms: 0, updated_at: '', updated_at_ms: 0 };
let lastTimesText = '';

function timesText({ created_at, created_at_ms, updated_at, updated_at_ms }: Order): string {
  const isLast =
    created_at_ms === lastTimes.created_at_ms &&
    updated_at_ms === lastTimes.updated_at_ms &&
    created_at === lastTimes.created_at &&
    updated_at === lastTimes.updated_at;
  if (!isLast) {
    lastTimes = { created_at, created_at_ms, updated_at, updated_at_ms };
    lastTimesText = `"created_at":"${created_at}","created_at_ms":${created_at_ms},"updated_at":"${updated_at}","updated_at_ms":${updated_at_ms},"chain_data":null}`;
  }
  return lastTimesText;
}

/** One text for the many that said nothing of these: every piece that a text is put together from costs. */
function termsText(order: Order): string {
  return isUsual(order)
    ? USUAL_TERMS
    : `"time_in_force":"${order.time_in_force}","post_only":${order.post_only},"reduce_only":${order.reduce_only},"stp_mode":"${order.stp_mode}","max_cost":${word(order.max_cost)},"valid_until_ms":${order.valid_until_ms},"reject_reason":${word(order.reject_reason)},"cancel_reason":${word(order.cancel_reason)},"expires_at":${word(order.expires_at)},"expires_at_ms":${order.expires_at_ms},`;
}

const USUAL_TERMS =
  '"time_in_force":"gtc","post_only":false,"reduce_only":false,"stp_mode":"cancel_resting","max_cost":null,"valid_until_ms":null,"reject_reason":null,"cancel_reason":null,"expires_at":null,"expires_at_ms":null,';

function isUsual(order: Order): boolean {
  return (
    order.time_in_force === 'gtc' &&
    order.stp_mode === 'cancel_resting' &&
    !order.post_only &&
    !order.reduce_only &&
    order.max_cost === null &&
    order.valid_until_ms === null &&
    order.reject_reason === null &&
    order.cancel_reason === null &&
    order.expires_at_ms === null
  );
}

function word(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

const PLAIN = /^[\w .:-]*$/;

/** Whether they need no escapes. */
function hasPlainNames({ market_id, outcome_id, client_order_id }: Order): boolean {
  return (
    PLAIN.test(market_id) &&
    PLAIN.test(outcome_id) &&
    (client_order_id === null || PLAIN.test(client_order_id))
  );
}
