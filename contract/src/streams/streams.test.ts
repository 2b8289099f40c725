// Checks every message of the socket against an independent transcription of the interface's table.

import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { isNode, nodesOf, propertiesOf } from '../../test/walk.ts';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { closedSchema } from '../strict.ts';
import { streamMessages } from './all.ts';
import { type AnyStreamMessage, channels } from './define.ts';
import { exampleFrame, frameOf } from './frame.ts';
import { streams } from './names.ts';

// type | stream | visibility | fields that data must have
const table = `
welcome | session | any | connection_id server_ts_ms heartbeat_interval_ms limits environment resume_window_ms epoch
authenticated | session | any | user_id account_id tier permissions expires_at_ms cancel_on_disconnect
auth_expiring | session | private | expires_at_ms reauth_by_ms
auth_revoked | session | private | reason
subscribed | session | any | id streams rejected
unsubscribed | session | any | id streams
resumed | session | any | id streams
resync_required | session | any | stream reason last_seq
locale_set | session | any | id locale
pong | session | any | id client_ts_ms server_ts_ms
heartbeat | session | any | server_ts_ms seqs
error | session | any | id op code message
throttled | session | any | retry_after_ms frames_dropped
going_away | session | any | reason reconnect_after_ms resume_supported
circuit_breaker | broadcast | public | lane market_id state reason since_ms retry_after_ms
maintenance | broadcast | public | phase starts_at_ms ends_at_ms effect
platform_mode | broadcast | public | mode reason
ticker | ticker | public | market_id outcome_id price best_bid best_ask bid_size ask_size last_price volume_24h change_24h seq
trade_print | ticker | public | trade_id market_id outcome_id side price size ts_ms
candle_update | ticker | public | market_id outcome_id interval ts_ms open high low close volume closed
open_interest | ticker | public | market_id open_interest total_volume
orderbook | orderbook | public | market_id outcome_id bids asks ts_ms seq tick_size epoch
orderbook_delta | orderbook | public | market_id outcome_id seq prev_seq bids asks
orderbook_checksum | orderbook | public | market_id outcome_id seq checksum
tick_size_changed | orderbook | public | market_id old_tick_size new_tick_size effective_at_ms orders_affected
fast_tick | fast_tick | public | market_id round_id reference_price ts_ms ms_to_lock up_price down_price
fast_round_opened | fast_tick | public | market_id round_id opens_at_ms locks_at_ms settles_at_ms strike
fast_round_locking | fast_tick | public | market_id round_id ms_to_lock
fast_round_locked | fast_tick | public | market_id round_id locked_at_ms final_prices
fast_round_settled | fast_tick | public | market_id round_id settle_price winning_outcome_id next_round_id
markets_snapshot | markets_snapshot | public | markets seq epoch
market_created | markets_snapshot | public | market
market_updated | markets_snapshot | public | market_id changed clarification
market_status_changed | markets_snapshot | public | market_id from to ts_ms reason
market_halted | markets_snapshot | public | market_id reason since_ms cancel_allowed
market_resumed | markets_snapshot | public | market_id resumed_at_ms
resolution_proposed | markets_snapshot | public | market_id resolution_id payout_vector evidence_hash challenge_ends_at_ms
resolution_disputed | markets_snapshot | public | market_id resolution_id dispute_id round
market_resolved | markets_snapshot | public | market_id winning_outcome_id payout_vector resolution_id settled_at_ms
signals | signals | authenticated | signal_id kind market_id outcome_id strength window_ms ts_ms
account | account | private | account balances orders positions seq epoch
order_accepted | account | private | order client_order_id
order_updated | account | private | order last_fill
order_cancelled | account | private | order reason
order_rejected | account | private | client_order_id code reason
balance_updated | account | private | asset balance_free balance_reserved delta reason ref_id
position_updated | account | private | position reason
position_settled | account | private | market_id outcome_id size payout realized_pnl resolution_id
tier_changed | account | private | from to reason limits
dead_man_triggered | account | private | scope cancelled_count armed_at_ms expired_at_ms
trade_executed | trade_executed | private | trade_id order_id client_order_id market_id outcome_id side price size fee rebate liquidity builder_app_id ts_ms
deposit | deposit | private | deposit_id asset amount state confirmations tx_ref
withdrawal_updated | deposit | private | withdrawal_id asset amount state reason
rfq_opened | rfq | private | rfq_id market_id legs side size expires_at_ms
rfq_quote | rfq | private | rfq_id quote_id price size expires_at_ms state
rfq_filled | rfq | private | rfq_id quote_id trade_id price size
rfq_closed | rfq | private | rfq_id reason
`;
const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const byType: readonly [string, AnyStreamMessage][] = Object.entries(streamMessages);
const options = { strict: false, validateFormats: false, allErrors: true };
const draft2020 = new Ajv2020(options);
const draft07 = new Ajv(options);
const moneyPattern = '^-?[0-9]+(\\.[0-9]{1,18})?$';
const moneyName =
  /(^|_)(price|size|amount|balance|volume|notional|fee|rebate|cost|bid|ask|pnl|payout|interest|24h|delta|strike)(_|$)/;
const notMoney = new Set(['payout_vector', 'final_prices', 'balances']);

describe('messages of the socket', () => {
  it('[CT19] are the 57 of the interface, so many on each stream', () => {
    expect(Object.keys(streamMessages)).toEqual(rows.map(([type]) => type));
    const count = (channel: string) => byType.filter(([, { stream }]) => stream === channel).length;
    expect(channels.map((channel) => [channel, count(channel)])).toEqual([
      ['session', 14],
      ['broadcast', 3],
      ['ticker', 4],
      ['orderbook', 4],
      ['fast_tick', 5],
      ['markets_snapshot', 9],
      ['signals', 1],
      ['account', 10],
      ['trade_executed', 1],
      ['deposit', 2],
      ['rfq', 4],
    ]);
    expect(byType).toHaveLength(57);
  });

  it.each(rows)('[CT19] %s rides on %s for %s', (type, stream, visibility, fields) => {
    const found = byType.find(([key]) => key === type)?.[1];
    expect([found?.type, found?.stream, found?.visibility]).toEqual([type, stream, visibility]);
    const required = isNode(found?.data) ? found.data.required : [];
    expect(required).toEqual(expect.arrayContaining(String(fields).split(' ')));
  });

  it('[CT19] wait for their source only where the source is not built', () => {
    const later = byType.filter(([, { since }]) => since === 'later').map(([type]) => type);
    expect(later).toEqual([
      'tick_size_changed',
      'withdrawal_updated',
      'rfq_opened',
      'rfq_quote',
      'rfq_filled',
      'rfq_closed',
    ]);
  });

  it('[CT19] agree with the visibility of their stream, and name its snapshot', () => {
    for (const [, message] of byType) {
      if (message.stream === 'session' || message.stream === 'broadcast') continue;
      expect(message.visibility).toBe(streams[message.stream].visibility);
    }
    for (const [base, { snapshot }] of Object.entries(streams)) {
      if (snapshot === null) continue;
      expect(byType.find(([type]) => type === snapshot)?.[1].stream).toBe(base);
    }
  });

  it.each(byType)(
    '[CT20] %s: the example frame satisfies its schema, nothing undeclared',
    (_type, message) => {
      expect(violations(closedSchema(frameOf(message)), exampleFrame(message))).toEqual([]);
      expect(Object.isFrozen(message)).toBe(true);
    },
  );

  it('[CT20] numbered frames have stream and seq, the others neither', () => {
    const frame = exampleFrame(streamMessages.orderbook_delta);
    const schema = frameOf(streamMessages.orderbook_delta);
    for (const field of ['type', 'stream', 'seq', 'ts_ms', 'data']) {
      const { [field]: _gone, ...rest } = frame;
      expect(violations(schema, rest)).toEqual([`required ${field}`]);
    }
    const { prev_seq: _prev, ...snapshot } = frame;
    expect(violations(schema, snapshot)).toEqual([]);
    const greeting = closedSchema(frameOf(streamMessages.welcome));
    expect(violations(greeting, { ...exampleFrame(streamMessages.welcome), seq: 1 })).not.toEqual(
      [],
    );
  });

  it('[CT20] the authenticated reply has user_id at the top, as the specification shows', () => {
    const frame = exampleFrame(streamMessages.authenticated);
    expect(frame).toMatchObject({ type: 'authenticated', user_id: 'usr_01J0000000000005' });
    const { user_id: _gone, ...rest } = frame;
    expect(violations(frameOf(streamMessages.authenticated), rest)).toEqual(['required user_id']);
  });

  it.each(byType)('[CT20] %s: names, money and times are as over REST', (type, message) => {
    for (const { path, name, schema, siblings } of propertiesOf(message.data, type)) {
      expect([path, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)]).toEqual([path, true]);
      expect([path, [schema.type].flat().includes('number')]).toEqual([path, false]);
      if (name.endsWith('_at')) expect(siblings).toContain(`${name}_ms`);
      if (name.endsWith('_at_ms')) expect(siblings).toContain(name.slice(0, -3));
      if (!moneyName.test(name) || notMoney.has(name) || /_(ms|id|at|max|venue)$/.test(name))
        continue;
      const isMoney = schema.pattern === moneyPattern && [schema.type].flat()[0] === 'string';
      expect([path, isMoney]).toEqual([path, true]);
    }
    for (const [path, node] of nodesOf(message.example, type)) {
      for (const [name, value] of Object.entries(node)) {
        if (!name.endsWith('_at')) continue;
        const ms = value === null ? null : Date.parse(String(value));
        expect([path, name, node[`${name}_ms`]]).toEqual([path, name, ms]);
      }
    }
  });

  it.each(byType)(
    '[CT20] %s: the schema is open to additions and compiles under both drafts',
    (type, message) => {
      const schema = plain(frameOf(message));
      expect(() => draft07.compile(schema)).not.toThrow();
      expect(() => draft2020.compile(schema)).not.toThrow();
      for (const [path, node] of nodesOf(message.data, type)) {
        if (node.type === 'object' && 'properties' in node) {
          expect([path, 'additionalProperties' in node]).toEqual([path, false]);
        }
      }
    },
  );

  it('[CT20] errors and rejections speak the codes of the catalogue', () => {
    const schema = frameOf(streamMessages.error);
    const frame = exampleFrame(streamMessages.error);
    for (const code of Object.keys(errors)) {
      const data = { id: null, op: null, code, message: '' };
      expect(violations(schema, { ...frame, data })).toEqual([]);
    }
    const unknown = { ...frame, data: { id: null, op: null, code: 'NOPE', message: '' } };
    expect(violations(schema, unknown)).not.toEqual([]);
  });

  it('[CT21] limits are those of the interface', () => {
    expect(limits.socket).toMatchObject({
      frameBytesMax: 16 * 1024,
      framesPerSecond: 10,
      framesBurst: 20,
      streamsMax: 200,
      perAddressMax: 20,
      knownPerAddressMax: 100,
      perKeyMax: 10,
      snapshotBytesBurst: 16 * 1024 * 1024,
      snapshotBytesPerSecond: 512 * 1024,
      heartbeatIntervalMs: 5_000,
      replayWindowMs: 5 * 60_000,
      replayMessagesMax: 10_000,
      queueBytesMax: 1024 * 1024,
      expiryNoticeMs: 60_000,
    });
    expect(limits.socket.bookDepth).toBe(limits.depth.max);
    const { data } = exampleFrame(streamMessages.welcome);
    expect(data).toMatchObject({
      heartbeat_interval_ms: limits.socket.heartbeatIntervalMs,
      resume_window_ms: limits.socket.replayWindowMs,
      limits: { max_streams: 200, frames_per_sec: 10, max_frame_bytes: 16_384 },
    });
  });
});

function violations(schema: object, value: unknown): string[] {
  const validate = draft2020.compile(plain(schema));
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ keyword, params, instancePath, message }) =>
    keyword === 'required' ? `required ${params.missingProperty}` : `${instancePath} ${message}`,
  );
}

function plain(schema: object): Record<string, unknown> {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  return isNode(copy) ? copy : {};
}
