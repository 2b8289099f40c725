// Answers to placed orders, written straight from what the engine told: the bytes that the schema would make of their data.
import { pieceOf, type TextSheet } from '@sibyl/lane';
import type { Reply } from '../handling/handler.ts';
import { spellOrder } from '../wire/generated/order.ts';
import { actionOf, BatchReply, orderOf, PlacedReply, updatedMs } from '../wire/order-replies.ts';

/** No personal data may be in them: what is spelled is not looked through any more. */
export type SpelledReply = PlacedReply | BatchReply;

export function isSpelled(reply: Reply): reply is SpelledReply {
  return reply instanceof PlacedReply || reply instanceof BatchReply;
}

/** The body: the envelope and what is in it. */
export function spellReply(
  sheet: TextSheet,
  reply: SpelledReply,
  requestId: string,
  nowMs: number,
): void {
  sheet.bytes(BEFORE_DATA);
  if (reply instanceof PlacedReply) {
    spellOrder(sheet, reply.order, reply.order.createdAtMs);
    spellMeta(sheet, requestId, nowMs, reply.meta);
    return;
  }
  spellBatch(sheet, reply);
  spellMeta(sheet, requestId, nowMs, undefined);
}

function spellBatch(sheet: TextSheet, { commands, answers, atMs }: BatchReply): void {
  for (let index = 0; index < answers.length; index += 1) {
    const command = commands[index]!;
    const order = orderOf(answers[index]!);
    const action = actionOf(command);
    sheet.bytes(index === 0 ? FIRST[action] : NEXT[action]);
    spellOrder(sheet, order, updatedMs(order, command, atMs));
  }
  sheet.plain(`,"error":null}],"succeeded":${answers.length},"failed":0}`);
}

function spellMeta(sheet: TextSheet, requestId: string, nowMs: number, meta: Reply['meta']): void {
  sheet.bytes(META);
  sheet.plain(requestId);
  sheet.bytes(SERVER_TIME);
  sheet.count(nowMs);
  if (meta?.fill_venue !== undefined) sheet.bytes(FILL_VENUES[meta.fill_venue]);
  sheet.bytes(AFTER_META);
}

const BEFORE_DATA = pieceOf('{"ok":true,"data":');
const META = pieceOf(',"meta":{"request_id":"');
const SERVER_TIME = pieceOf('","server_ts_ms":');
const FILL_VENUES = {
  amm: pieceOf(',"fill_venue":"amm"'),
  clob: pieceOf(',"fill_venue":"clob"'),
  hybrid: pieceOf(',"fill_venue":"hybrid"'),
};
const AFTER_META = pieceOf('},"error":null}');

/** What stands before the order of the first item, and what stands between two. */
const FIRST = {
  place: pieceOf('{"results":[{"ok":true,"action":"place","data":'),
  amend: pieceOf('{"results":[{"ok":true,"action":"amend","data":'),
};
const NEXT = {
  place: pieceOf(',"error":null},{"ok":true,"action":"place","data":'),
  amend: pieceOf(',"error":null},{"ok":true,"action":"amend","data":'),
};
