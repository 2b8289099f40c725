// The record of a sequenced command: how it is written into the text of its commit, and how it is read again.
import {
  type Actor,
  type Command,
  commandVersion,
  decodeCommand,
  encodeCommand,
  isCommandType,
} from '@sibyl/engine';
import { type JournalCommit, JournalCorrupt } from '../journal/journal.ts';
import { Names } from './names.ts';
import { readShortText, shortForm, writeShortText } from './order-text.ts';
import type { RequestStamp } from './submission.ts';
import { damaged, TextReader } from './text-reader.ts';
import type { TextSheet } from './text-sheet.ts';

/** As tools show it; a replay reads the text itself. */
export interface JournalRecord {
  readonly seq: number;
  readonly epoch: number;
  /** Journal time of the command. */
  readonly tsMs: number;
  /** `type@version` of a body that is spelled out, else the letter of its short text; decoders are kept forever. */
  readonly form: string;
  readonly actor: string;
  readonly requestId: string;
  /** Digest of the outcome: a replay that differs is found at the record where it does. */
  readonly outcomeHash: string;
  readonly body: string;
}

/** `digest` is of the outcome; `beforeMs` is the time of the record before it in the commit, or 0 for the first. Every text stands behind its length. */
export function writeRecord(
  sheet: TextSheet,
  command: Command,
  digest: string,
  request: RequestStamp,
  beforeMs: number,
): void {
  const { offset, characters } = sheet;
  const form = shortForm(command);
  if (form !== null) {
    const lengthAt = writeHead(sheet, form, command, request, digest, beforeMs);
    const before = sheet.characters;
    if (writeShortText(sheet, command)) {
      writeEnd(sheet, lengthAt, before);
      return;
    }
    sheet.goBack(offset, characters);
  }
  const spelled = `${command.type}@${commandVersion(command.type)}`;
  const lengthAt = writeHead(sheet, spelled, command, request, digest, beforeMs);
  const before = sheet.characters;
  sheet.text(encodeCommand(command));
  writeEnd(sheet, lengthAt, before);
}

/** Everything before the body, and the offset where its length will stand. */
function writeHead(
  sheet: TextSheet,
  form: string,
  command: Command,
  request: RequestStamp,
  digest: string,
  beforeMs: number,
): number {
  sheet.count(command.atMs - beforeMs);
  sheet.space();
  sheet.plain(form);
  sheet.space();
  // Two words, written one by one: a text that was put together of them would be laid out anew to be read.
  const [actor, actorDetail] = wordsOf(command.actor);
  const { requestId, nonce = null } = request;
  sheet.count(lengthOf(actor, actorDetail));
  sheet.space();
  sheet.count(lengthOf(requestId, nonce));
  sheet.space();
  sheet.count(digest.length);
  sheet.space();
  const lengthAt = sheet.openCount(LENGTH_DIGITS);
  sheet.space();
  writeWords(sheet, actor, actorDetail);
  writeWords(sheet, requestId, nonce);
  sheet.plain(digest);
  return lengthAt;
}

/** `before` is how many characters stood before the body. */
function writeEnd(sheet: TextSheet, lengthAt: number, before: number): void {
  sheet.closeCount(lengthAt, LENGTH_DIGITS, sheet.characters - before);
  sheet.plain('\n');
}

/** The records of a commit as the text that they are. */
export function textOf(records: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = records;
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

/** The length of a body is known when it is written, and stands before it. */
const LENGTH_DIGITS = 8;

/** Goes through the records of one commit after another. */
export class RecordReader {
  readonly #reader = new TextReader();
  readonly #names = new Names();
  #commit: JournalCommit | null = null;
  #seq = 0;
  #tsMs = 0;
  #form = '';
  #actorAt = 0;
  #requestIdAt = 0;
  #digestAt = 0;
  #bodyAt = 0;
  #end = 0;

  get seq(): number {
    return this.#seq;
  }

  get tsMs(): number {
    return this.#tsMs;
  }

  /** See JournalRecord. */
  get form(): string {
    return this.#form;
  }

  /** Where the record ends in the text of its commit. */
  get end(): number {
    return this.#end;
  }

  get outcomeHash(): string {
    return this.#reader.slice(this.#digestAt, this.#bodyAt);
  }

  open(commit: JournalCommit): void {
    this.#commit = commit;
    this.#seq = commit.firstSeq - 1;
    this.#tsMs = 0;
    this.#end = 0;
    this.#reader.open(textOf(commit.records));
  }

  /** False when there are no more. */
  next(): boolean {
    const reader = this.#reader;
    reader.seek(this.#end);
    if (reader.isAtEnd) {
      const { seq = 0, tsMs = 0 } = this.#commit ?? {};
      if (this.#seq !== seq || this.#tsMs !== tsMs) throw damaged();
      return false;
    }
    this.#seq += 1;
    this.#tsMs += reader.number();
    this.#form = reader.word();
    const actorLength = reader.number();
    const requestIdLength = reader.number();
    const digestLength = reader.number();
    const bodyLength = reader.number();
    this.#actorAt = reader.offset;
    this.#requestIdAt = this.#actorAt + actorLength;
    this.#digestAt = this.#requestIdAt + requestIdLength;
    this.#bodyAt = this.#digestAt + digestLength;
    reader.seek(this.#bodyAt + bodyLength);
    if (reader.take(1) !== '\n') throw damaged();
    this.#end = reader.offset;
    return true;
  }

  /** The command of the record; what this program does not know, it refuses. */
  command(): Command {
    const reader = this.#reader;
    if (this.#form.length > 1) return this.#spelledOut();
    const actor = this.#names.account(reader.slice(this.#actorAt, this.#requestIdAt));
    reader.seek(this.#bodyAt);
    const command = readShortText(this.#form, reader, this.#names, this, actor);
    if (reader.offset !== this.#end - 1) throw damaged();
    return command;
  }

  record(): JournalRecord {
    const reader = this.#reader;
    return {
      seq: this.#seq,
      epoch: this.#commit?.epoch ?? 0,
      tsMs: this.#tsMs,
      form: this.#form,
      actor: reader.slice(this.#actorAt, this.#requestIdAt),
      requestId: reader.slice(this.#requestIdAt, this.#digestAt),
      outcomeHash: this.outcomeHash,
      body: reader.slice(this.#bodyAt, this.#end - 1),
    };
  }

  #spelledOut(): Command {
    const [type = '', version] = this.#form.split('@');
    const seq = this.#seq;
    if (!isCommandType(type))
      throw new JournalCorrupt(`record ${seq} has the unknown type ${type}`);
    const known = commandVersion(type);
    if (version !== `${known}`)
      throw new JournalCorrupt(
        `record ${seq} is ${type} version ${version}; this program knows version ${known}`,
      );
    const command = decodeCommand(this.#reader.slice(this.#bodyAt, this.#end - 1));
    if (command.seq !== seq || command.type !== type || command.atMs !== this.#tsMs) {
      throw new JournalCorrupt(`record ${seq} holds a command that is not its own`);
    }
    return command;
  }
}

/** All of them at once, for tools. */
export function recordsOf(commit: JournalCommit): readonly JournalRecord[] {
  const reader = new RecordReader();
  const records: JournalRecord[] = [];
  reader.open(commit);
  while (reader.next()) records.push(reader.record());
  return records;
}

function wordsOf(actor: Actor): readonly [string, string | null] {
  switch (actor.kind) {
    case 'account':
      return [actor.accountId, actor.keyId];
    case 'operator':
      return ['operator', actor.name];
    case 'system':
      return ['system', null];
  }
}

/** Of both words and what stands between them. */
function lengthOf(first: string, second: string | null): number {
  return second === null ? first.length : first.length + 1 + second.length;
}

function writeWords(sheet: TextSheet, first: string, second: string | null): void {
  sheet.text(first);
  if (second === null) return;
  sheet.space();
  sheet.text(second);
}

/**
 * The form of the record with which another engine goes on. Every build looks for it in the journals of every other,
 * so neither it nor what stands before a record's body ever changes.
 */
export const UPGRADE_FORM = 'upgrade_engine@1';
