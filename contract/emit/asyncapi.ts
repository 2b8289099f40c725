// The socket as an AsyncAPI 3.0 document: pure functions from messages and commands to JSON.

import { apiVersion } from '../src/envelope.ts';
import { limits } from '../src/limits.ts';
import { streamMessages } from '../src/streams/all.ts';
import { closeCodes } from '../src/streams/close-codes.ts';
import { type SocketCommand, socketCommands } from '../src/streams/commands.ts';
import { type AnyStreamMessage, type Channel, channels } from '../src/streams/define.ts';
import { exampleFrame, frameOf } from '../src/streams/frame.ts';
import { streamGuideText } from '../src/streams/guide.ts';
import { type StreamBase, streamNames, streams } from '../src/streams/names.ts';
import { about } from './about.ts';
import { type Json, lift, modelName } from './openapi-component.ts';

/** What the public port serves as /asyncapi.json; the address is where its clients find it. */
export function streamDocument(address: SocketAddress = { host: 'localhost:8080' }): Json {
  const schemas = new Map<string, Json>();
  const messages = {
    ...Object.fromEntries(events().map((event) => [event.type, eventObject(event, schemas)])),
    ...Object.fromEntries(
      commands().map((command) => [command.name, commandObject(command, schemas)]),
    ),
  };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Sibyl streams',
      version: apiVersion,
      description: streamGuideText(),
      ...about,
      tags: [{ name: 'streams', description: 'Prices, books, fast rounds and your account.' }],
    },
    defaultContentType: 'application/json',
    servers: serverObjects(address),
    channels: Object.fromEntries(channels.map((channel) => [channel, channelObject(channel)])),
    operations: Object.fromEntries([
      ...channels.map((channel) => [`send_${channel}`, sendOperation(channel)] as const),
      ...commands().map((command) => [`receive_${command.name}`, receiveOperation(command)]),
    ]),
    components: { messages, schemas: Object.fromEntries([...schemas].sort(byName)) },
    'x-limits': limits.socket,
    'x-close-codes': Object.values(closeCodes),
  };
}

export type SocketAddress = {
  /** With its port, unless that is the usual one. */
  readonly host: string;
  readonly isSecure?: boolean;
  /** With one lane every address leads to it. */
  readonly lanes?: 'both' | 'live' | 'sandbox';
};

function serverObjects({ host, isSecure = false, lanes = 'both' }: SocketAddress): Json {
  const at = { host, protocol: isSecure ? 'wss' : 'ws' };
  const sandbox = { ...at, pathname: '/sandbox/ws', description: 'Sandbox: fake money' };
  const live = { ...at, pathname: '/ws', description: 'Live: real money' };
  if (lanes === 'both') return { sandbox, live };
  return lanes === 'live' ? { live } : { sandbox: { ...sandbox, pathname: '/ws' } };
}

const ownChannels: Readonly<Record<Exclude<Channel, StreamBase>, string>> = {
  session: 'The connection itself: greeting, commands and their replies, liveness, errors.',
  broadcast: 'What reaches every connection without a subscription.',
};

function channelObject(channel: Channel): Json {
  const isStream = channel !== 'session' && channel !== 'broadcast';
  const own = events().filter((event) => event.stream === channel);
  const taken = channel === 'session' ? commands().map(({ name }) => name) : [];
  const names = [...own.map(({ type }) => type), ...taken];
  return {
    // All streams share the one socket of the server, so the address adds nothing to its path.
    address: '/',
    title: channel,
    description: descriptionOf(channel),
    messages: Object.fromEntries(names.map((name) => [name, reference('messages', name)])),
    ...(isStream
      ? {
          'x-visibility': streams[channel].visibility,
          'x-names': streamNames(channel),
          'x-snapshot': streams[channel].snapshot,
        }
      : {}),
  };
}

function descriptionOf(channel: Channel): string {
  if (channel === 'session' || channel === 'broadcast') return ownChannels[channel];
  return streams[channel].description;
}

function sendOperation(channel: Channel): Json {
  const own = events().filter((event) => event.stream === channel);
  return {
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    summary: `Messages of ${channel}`,
    description: descriptionOf(channel),
    messages: own.map(({ type }) => ({ $ref: `#/channels/${channel}/messages/${type}` })),
  };
}

function receiveOperation(command: SocketCommand): Json {
  const channel = { $ref: '#/channels/session' };
  return {
    action: 'receive',
    channel,
    summary: `The command ${command.name}`,
    description: command.description,
    messages: [{ $ref: `#/channels/session/messages/${command.name}` }],
    reply: {
      channel,
      messages: [...command.replies, 'error'].map((type) => ({
        $ref: `#/channels/session/messages/${type}`,
      })),
    },
  };
}

function eventObject(event: AnyStreamMessage, schemas: Map<string, Json>): Json {
  return {
    name: event.type,
    title: event.type,
    summary: event.description,
    payload: lift({ ...frameOf(event), title: modelName(event.type, 'Frame') }, schemas),
    examples: [{ name: event.type, payload: exampleFrame(event) }],
    'x-visibility': event.visibility,
    'x-since': event.since,
  };
}

function commandObject(command: SocketCommand, schemas: Map<string, Json>): Json {
  return {
    name: command.name,
    title: command.name,
    summary: command.description,
    payload: lift(command.frame, schemas),
    examples: [{ name: command.name, payload: command.example }],
  };
}

function events(): readonly AnyStreamMessage[] {
  return Object.values(streamMessages);
}

function commands(): readonly SocketCommand[] {
  return Object.values<SocketCommand>(socketCommands);
}

function reference(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

function byName([first]: readonly [string, Json], [second]: readonly [string, Json]): number {
  return first < second ? -1 : 1;
}
