// How to use the socket, in sentences: what the AsyncAPI document and the page of the streams begin with.

import { limits } from '../limits.ts';

export type GuideSection = {
  readonly id: string;
  readonly title: string;
  /** Each a line of its own; words between backticks are code. */
  readonly lines: readonly string[];
};

const {
  socket: {
    checksumLevels,
    framesPerSecond,
    framesBurst,
    frameBytesMax,
    heartbeatIntervalMs,
    perAddressMax,
    perKeyMax,
    replayMessagesMax,
    replayWindowMs,
    streamsMax,
  },
} = limits;

export const streamGuide: readonly GuideSection[] = Object.freeze([
  {
    id: 'connect',
    title: 'Connect',
    lines: [
      'The sandbox is at `/sandbox/ws`, live at `/ws`. The first frame is `welcome`; it names the limits of the connection and its `epoch`.',
      'Commands are JSON text frames with `op`. Send `SUBSCRIBE` with the names of streams; for private ones send `AUTH` with a key first.',
      'The reply `subscribed` lists what you get and, in `rejected`, what you do not. Then each stream sends its state, and from there on every change.',
    ],
  },
  {
    id: 'frames',
    title: 'Frames and their numbers',
    lines: [
      'Every frame has `type`, `ts_ms` and `data`; frames of a stream also have `stream` and `seq`, and all but snapshots `prev_seq`.',
      'Your first number is the `seq` of the stream in `subscribed`: 0 if it has sent nothing yet. A stream without a snapshot goes on from there.',
      'A frame without `prev_seq` is a snapshot: it replaces what you knew, and its `seq` is the last number you have.',
      'With `prev_seq`: if `seq` is not above your last number, you had it already; if `prev_seq` is not above it, apply the frame; else something is missing.',
      `A \`heartbeat\` every ${heartbeatIntervalMs / 1_000} seconds names the last number of each stream you follow. If one is above yours and stays so, something is missing.`,
      'Numbers of different epochs do not continue each other.',
    ],
  },
  {
    id: 'resume',
    title: 'After a lost connection',
    lines: [
      'Connect again, send `AUTH` if you follow private streams, then `RESUME` in place of `SUBSCRIBE`, with the `epoch` of the lost connection and your last number of each stream.',
      'The reply `resumed` names each stream with `from_seq`, `to_seq` and how many messages are `replayed`. What you missed follows with its own numbers, then the stream goes on.',
      'Without `epoch`, or after a restart of the server, which begins another one, each stream gets `resync_required` (`epoch_changed`) and a fresh snapshot.',
      `That works for ${replayWindowMs / 60_000} minutes or ${replayMessagesMax} messages of a stream. If it does not, \`resync_required\` comes and then a fresh snapshot.`,
    ],
  },
  {
    id: 'checksum',
    title: 'The checksum of a book',
    lines: [
      `Take the best ${checksumLevels} bids, best first, as \`price:size\` joined by commas, a bar, and the best ${checksumLevels} asks likewise, with the decimal strings of the frames. The checksum is the CRC-32 (IEEE, as in zlib) of that text as an unsigned number; an empty book is the bar alone.`,
      'It comes with every snapshot and, some seconds after a change, as `orderbook_checksum`: compare it when you have everything up to its `seq`, and resubscribe if it differs.',
    ],
  },
  {
    id: 'limits',
    title: 'Limits',
    lines: [
      `${framesPerSecond} frames per second, ${framesBurst} at once, ${frameBytesMax} bytes each; ${streamsMax} streams per connection; ${perAddressMax} connections per address without a key and ${perKeyMax} per key.`,
      'Too many frames are dropped with `throttled`; whoever goes on is closed. There is no limit on what you are sent, but a reader that stays too slow gets merged ticker and book frames, then `resync_required`, then is closed.',
    ],
  },
]);

/** The guide as Markdown. */
export function streamGuideText(): string {
  return streamGuide.map(({ title, lines }) => [`## ${title}`, ...lines].join('\n\n')).join('\n\n');
}
