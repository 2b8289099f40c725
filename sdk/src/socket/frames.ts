// The frames of the socket as a client reads them: typed by message, grouped by stream.

import type { StreamBase, StreamData, StreamMessages, StreamMessageType } from '@sibyl/contract';
import type { Open } from '../types.ts';

export type { StreamBase, StreamMessageType };

/** A frame of a stream; without prev_seq it is a snapshot and replaces what was known. */
export type StreamFrame<Type extends StreamMessageType = StreamMessageType> =
  Type extends StreamMessageType
    ? {
        readonly type: Type;
        readonly stream: string;
        readonly seq: number;
        readonly prev_seq?: number;
        readonly ts_ms: number;
        readonly data: Open<StreamData<Type>>;
      }
    : never;

/** Types of the messages that ride on a stream. */
export type TypesOn<Base extends string> = {
  [Type in StreamMessageType]: StreamMessages[Type]['stream'] extends Base ? Type : never;
}[StreamMessageType];

/** Any frame of a stream. A later server may add types: give a `switch` over them a default. */
export type FrameOn<Base extends StreamBase> = StreamFrame<TypesOn<Base>>;

/** A frame of the connection itself or one that reaches everybody. */
export type NoticeFrame<Type extends TypesOn<'session' | 'broadcast'>> = {
  readonly type: Type;
  readonly ts_ms: number;
  readonly data: Open<StreamData<Type>>;
};

/** The name of a stream: base, base:market_id or base:market_id:outcome_id. */
export type StreamNameText = StreamBase | `${StreamBase}:${string}`;

export type BaseOf<Name extends StreamNameText> = Name extends StreamBase
  ? Name
  : Name extends `${infer Base extends StreamBase}:${string}`
    ? Base
    : never;

/** What every frame has, before its type is known. */
export type AnyFrame = {
  readonly type: string;
  readonly stream: string | null;
  readonly seq: number | null;
  readonly prev_seq: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** The frame as it came. */
  readonly whole: Readonly<Record<string, unknown>>;
};

/** The frame in a text; null for what is no frame. */
export function readFrame(text: unknown): AnyFrame | null {
  if (typeof text !== 'string') return null;
  const whole = parse(text);
  if (!isRecord(whole) || typeof whole.type !== 'string') return null;
  return {
    type: whole.type,
    stream: typeof whole.stream === 'string' ? whole.stream : null,
    seq: numberOf(whole.seq),
    prev_seq: numberOf(whole.prev_seq),
    data: isRecord(whole.data) ? whole.data : {},
    whole,
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of a list that are records; anything else is left out. */
export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
