// The answers to placed orders as text, spelled out: the same bytes that the serializers of their schemas would write.
import type { OperationOutput, Order, PlacedOrder } from '@sibyl/contract';
import type { Envelope, EnvelopeMeta } from '../envelope.ts';

type Write = (envelope: unknown) => string;
type BatchAnswer = OperationOutput<'batchOrders'>;

/** Writes placed orders by itself and everything else, such as a preview, by the serializer. */
export function orderAnswerWriter(serialize: Write): Write {
  return (envelope) => {
    const { data, meta } = envelope as Envelope & { readonly data: PlacedOrder };
    if (data.preview !== undefined || data.chain_data !== null) return serialize(envelope);
    return `{"ok":true,"data":${orderText(data)},"meta":${metaText(meta)},"error":null}`;
  };
}

/** Writes batches in which every item did what it should. */
export function batchAnswerWriter(serialize: Write): Write {
  return (envelope) => {
    const { data, meta } = envelope as Envelope & { readonly data: BatchAnswer };
    const items = itemsText(data);
    if (items === null) return serialize(envelope);
    return `{"ok":true,"data":{"results":[${items}],"succeeded":${data.succeeded},"failed":0},"meta":${metaText(meta)},"error":null}`;
  };
}

function itemsText({ results }: BatchAnswer): string | null {
  let text = '';
  for (const { ok, action, data } of results) {
    if (!ok || data === null || data.chain_data !== null) return null;
    const item = `{"ok":true,"action":"${action}","data":${orderText(data)},"error":null}`;
    text = text === '' ? item : `${text},${item}`;
  }
  return text;
}

function metaText({ request_id, server_ts_ms, fill_venue }: EnvelopeMeta): string {
  const venue = fill_venue === undefined ? '' : `,"fill_venue":"${fill_venue}"`;
  return `{"request_id":"${request_id}","server_ts_ms":${server_ts_ms}${venue}}`;
}

/** Amounts, times and words of the contract need no escapes; names that somebody chose may. */
function orderText(order: Order): string {
  const name = order.client_order_id === null ? 'null' : quoted(order.client_order_id);
  return `{"order_id":"${order.order_id}","market_id":${quoted(order.market_id)},"outcome_id":${quoted(order.outcome_id)},"side":"${order.side}","order_type":"${order.order_type}","price":${word(order.price)},"size":"${order.size}","status":"${order.status}","filled_size":"${order.filled_size}","remaining_size":"${order.remaining_size}","avg_fill_price":${word(order.avg_fill_price)},"fee_paid":"${order.fee_paid}","reserved":"${order.reserved}","client_order_id":${name},${termsText(order)}"created_at":"${order.created_at}","created_at_ms":${order.created_at_ms},"updated_at":"${order.updated_at}","updated_at_ms":${order.updated_at_ms},"chain_data":null}`;
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

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
