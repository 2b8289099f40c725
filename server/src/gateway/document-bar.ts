// The head of the reference pages: the way between them, and back to the pages for people where there are any.

type Document = 'calls' | 'streams';

const documents = [
  { id: 'calls', href: '/docs/', text: 'Calls' },
  { id: 'streams', href: '/docs/streams', text: 'Streams' },
] as const;

const sources: Readonly<Record<Document, string>> = {
  calls: '/openapi.json',
  streams: '/asyncapi.json',
};

/** As HTML. An exchange without pages for people has nothing to lead back to. */
export function documentBar(current: Document, hasSite: boolean): string {
  const home = hasSite
    ? '<a class="name" href="/"><img src="/icon.svg" alt="" width="24" height="24">Sibyl</a>'
    : '<a class="name" href="/docs/">Sibyl</a>';
  const links = documents.map(({ id, href, text }) => {
    const mark = id === current ? ' aria-current="page"' : '';
    return `<a class="link" href="${href}"${mark}>${text}</a>`;
  });
  if (hasSite) links.unshift('<a class="link" href="/developers">Developers</a>');
  const source = sources[current];
  links.push(`<a class="link" href="${source}">${source.slice(1)}</a>`);
  return `${home}<nav aria-label="Documents">${links.join('')}</nav>`;
}
