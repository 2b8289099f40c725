// The reference of the socket as a page: how it works, stream names, commands, messages, close codes; from the contract.
import {
  type AnyStreamMessage,
  bookChecksumText,
  type Channel,
  channels,
  closeCodes,
  exampleFrame,
  frameOf,
  socketCommands,
  streamGuide,
  streamMessages,
  streamNames,
  streams,
} from '@sibyl/contract';
import { documentBar } from './document-bar.ts';
import { type FieldRow, fieldRows } from './field-rows.ts';

/** One static page without scripts: it loads its style from here, and nothing from anywhere else. */
export function streamPage(hasSite: boolean): string {
  const sections = [guide(), names(), commands(), ...channels.map(channelSection), closes()];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sibyl: streams</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/page.css"></head><body>
<header class="bar">${documentBar('streams', hasSite)}</header>
<div class="streams"><nav>${contents()}</nav><main><h1>Streams</h1>
${sections.join('\n')}</main></div></body></html>`;
}

function contents(): string {
  const link = (id: string, text = id): string => `<a href="#${id}">${escapeText(text)}</a>`;
  return [
    ...streamGuide.map(({ id, title }) => link(id, title)),
    link('names', 'Stream names'),
    link('close-codes', 'Close codes'),
    '<b>Commands</b>',
    ...Object.keys(socketCommands).map((name) => link(name)),
    '<b>Messages</b>',
    ...channels.map((channel) => link(`of-${channel}`, channel)),
  ].join('');
}

function guide(): string {
  return streamGuide
    .map(({ id, title, lines }) => {
      const text = lines.map((line) => `<p>${inlineCode(line)}</p>`).join('');
      return `<h2 id="${id}">${title}</h2>${text}${id === 'checksum' ? checksumVector() : ''}`;
    })
    .join('');
}

/** The book of the example, which a server sent, with the text that is summed. */
function checksumVector(): string {
  const { bids, asks, checksum } = streamMessages.orderbook.example;
  return `<p>The book of the example of <a href="#orderbook">orderbook</a> has this text:</p>
<pre class="wrapped">${escapeText(bookChecksumText({ bids, asks }))}</pre>
<p>and the server sent it with the checksum <code>${checksum}</code>.</p>`;
}

function names(): string {
  const rows = channels.flatMap((channel) => {
    if (channel === 'session' || channel === 'broadcast') return [];
    const { visibility, snapshot, description } = streams[channel];
    const forms = streamNames(channel).map((name) => `<code>${name}</code>`);
    return [[forms.join('<br>'), visibility, snapshot ?? 'none', escapeText(description)]];
  });
  return `<h2 id="names">Stream names</h2>
<p>Subscribe to all of a stream, to one market, or to one outcome of a market. <i>public</i> needs no credential,
<i>authenticated</i> any, <i>private</i> is your own.</p>
${table(['Name', 'For', 'Snapshot', 'What it tells'], rows)}`;
}

function commands(): string {
  const articles = Object.values(socketCommands).map(
    ({ name, description, replies, example, frame }) =>
      article(name, description, `replies: ${replies.join(', ')}`, fieldRows(frame), example),
  );
  return `<h2 id="commands">Commands</h2>${articles.join('')}`;
}

const channelTitles: Readonly<Partial<Record<Channel, string>>> = {
  session: 'Messages of the connection',
  broadcast: 'Messages to everybody',
};

function channelSection(channel: Channel): string {
  const all: readonly AnyStreamMessage[] = Object.values(streamMessages);
  const articles = all
    .filter(({ stream }) => stream === channel)
    .map((message) => {
      const rows = fieldRows(frameOf(message));
      return article(
        message.type,
        message.description,
        noteOf(message),
        rows,
        exampleFrame(message),
      );
    });
  const title = channelTitles[channel] ?? `Messages of ${channel}`;
  return `<h2 id="of-${channel}">${title}</h2>${articles.join('')}`;
}

function closes(): string {
  const rows = Object.values(closeCodes).map(({ code, reason, reconnect }) => [
    `<code>${code}</code>`,
    escapeText(reason),
    reconnect ? 'yes' : 'not with the same request or credential',
  ]);
  return `<h2 id="close-codes">Close codes</h2>${table(['Code', 'Why', 'Come back at once?'], rows)}`;
}

function noteOf({ since, visibility }: AnyStreamMessage): string {
  return since === 'later' ? `${visibility}; not sent yet` : visibility;
}

function article(
  name: string,
  description: string,
  note: string,
  fields: readonly FieldRow[],
  shown: unknown,
): string {
  const rows = fields.map(({ path, type, text }) => [
    `<code>${escapeText(path)}</code>`,
    escapeText(type),
    escapeText(text),
  ]);
  return `<article id="${name}"><h3>${name}</h3><p>${escapeText(description)}</p><small>${escapeText(note)}</small>
<pre>${escapeText(compactJson(shown))}</pre>
<details><summary>Fields</summary>${table(['Field', 'Type', 'Meaning'], rows)}</details></article>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th>${text}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

/** As JSON.stringify with an indent, but a level of a book stays on its line. */
function compactJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /\[\s+("[0-9.]+"),\s+("[0-9.]+")\s+\]/g,
    '[$1, $2]',
  );
}

function inlineCode(text: string): string {
  return escapeText(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
