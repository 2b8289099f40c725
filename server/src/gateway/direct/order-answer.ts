// The answer to a placed order as text, spelled out: the same bytes that the serializer of its schema would write.
import type { PlacedOrder } from '@sibyl/contract';
import type { Envelope } from '../envelope.ts';

type Write = (envelope: unknown) => string;

/** Writes placed orders by itself and everything else, such as a preview, by the serializer. */
export function orderAnswerWriter(serialize: Write): Write {
  return (envelope) => {
    const { data, meta } = envelope as Envelope & { readonly data: PlacedOrder };
    if (data.preview !== undefined || data.chain_data !== null) return serialize(envelope);
    const venue = meta.fill_venue === undefined ? '' : `,"fill_venue":"${meta.fill_venue}"`;
    return `{"ok":true,"data":${orderText(data)},"meta":{"request_id":"${meta.request_id}","server_ts_ms":${meta.server_ts_ms}${venue}},"error":null}`;
  };
}

/** Amounts, times and words of the contract need no escapes; names that somebody chose may. */
function orderText(order: PlacedOrder): string {
  return `{"order_id":"${order.order_id}","market_id":${quoted(order.market_id)},"outcome_id":${quoted(order.outcome_id)},"side":"${order.side}","order_type":"${order.order_type}","price":${word(order.price)},"size":"${order.size}","status":"${order.status}","filled_size":"${order.filled_size}","remaining_size":"${order.remaining_size}","avg_fill_price":${word(order.avg_fill_price)},"fee_paid":"${order.fee_paid}","reserved":"${order.reserved}","client_order_id":${order.client_order_id === null ? 'null' : quoted(order.client_order_id)},"time_in_force":"${order.time_in_force}","post_only":${order.post_only},"reduce_only":${order.reduce_only},"stp_mode":"${order.stp_mode}","max_cost":${word(order.max_cost)},"valid_until_ms":${order.valid_until_ms},"reject_reason":${word(order.reject_reason)},"cancel_reason":${word(order.cancel_reason)},"expires_at":${word(order.expires_at)},"expires_at_ms":${order.expires_at_ms},"created_at":"${order.created_at}","created_at_ms":${order.created_at_ms},"updated_at":"${order.updated_at}","updated_at_ms":${order.updated_at_ms},"chain_data":null}`;
}

function word(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

const PLAIN = /^[\w .:-]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
