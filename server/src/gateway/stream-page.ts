// The reference of the socket as a page: commands, streams and messages, written from the contract.
import { type AnyStreamMessage, channels, socketCommands, streamMessages } from '@sibyl/contract';

/** One static page without scripts: it loads nothing, from here or anywhere. */
export function streamPage(): string {
  const commands = Object.values(socketCommands).map((command) =>
    article(
      command.name,
      command.description,
      `replies: ${command.replies.join(', ')}`,
      command.example,
    ),
  );
  const messages = channels.map((channel) => {
    const all: readonly AnyStreamMessage[] = Object.values(streamMessages);
    const riding = all.filter((message) => message.stream === channel);
    const articles = riding.map((message) =>
      article(message.type, message.description, noteOf(message), {
        type: message.type,
        data: message.example,
      }),
    );
    return `<h2 id="${channel}">${channel}</h2>${articles.join('')}`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Sibyl streams</title><style>${STYLE}</style></head><body>
<h1>Streams</h1>
<p>The socket is at <code>/ws</code>, the sandbox lane’s at <code>/sandbox/ws</code>. The machine-readable document is
<a href="/asyncapi.json">asyncapi.json</a>; the calls are in <a href="/docs">the other reference</a>.</p>
<nav>${channels.map((channel) => `<a href="#${channel}">${channel}</a>`).join(' ')}</nav>
<h2 id="commands">commands</h2>${commands.join('')}${messages.join('')}</body></html>`;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#1c2430}
nav a{margin-right:.6rem}article{border-top:1px solid #d5dbe3;padding:.6rem 0}h3{margin:.2rem 0;font-family:monospace}
pre{background:#f3f5f8;padding:.6rem;overflow:auto;font-size:.85rem}small{color:#5a6675}
@media(prefers-color-scheme:dark){body{background:#12161c;color:#dfe5ec}pre{background:#1c232c}a{color:#7fb4ff}
article{border-color:#2c3642}small{color:#93a1b0}}`;

function noteOf(message: AnyStreamMessage): string {
  return message.since === 'later' ? `${message.visibility}; not sent yet` : message.visibility;
}

function article(name: string, description: string, note: string, shown: unknown): string {
  const example = escapeText(JSON.stringify(shown, null, 2));
  return `<article id="${name}"><h3>${name}</h3><p>${escapeText(description)}</p><small>${escapeText(note)}</small>
<pre>${example}</pre></article>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
