// Keeps the page itself on the device, so that it opens without a connection and can say that there is none. Figures are
// never kept: everything that the exchange says comes from the exchange.
const CACHE = 'sibyl-page';
const SHELL = '/';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(visit(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(keptFile(request));
});

async function visit(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && isPage(request.url) && mayBeKept(answer)) await keepShell(answer.clone());
    return answer;
  } catch (error) {
    const shell = isPage(request.url) ? await caches.match(SHELL) : undefined;
    if (shell === undefined) throw error;
    return shell;
  }
}

// The reference, documents and the page of consent are pages of their own.
function isPage(url) {
  const { pathname } = new URL(url);
  return !/^(?:\/sandbox)?\/(?:docs|v1|api|connect|oauth|\.well-known)(?:\/|$)|\.[a-z0-9]+$/.test(
    pathname,
  );
}

// What names its reader says that nobody is to keep it.
function mayBeKept({ headers }) {
  return !/no-store/.test(headers.get('cache-control') ?? '');
}

// The files of an older page are of no use to a newer one.
async function keepShell(answer) {
  const cache = await caches.open(CACHE);
  const [before, now] = await Promise.all([cache.match(SHELL), answer.clone().text()]);
  if (scriptOf(now) === undefined) return;
  if (before !== undefined && scriptOf(await before.text()) !== scriptOf(now)) {
    await caches.delete(CACHE);
  }
  const { headers } = answer;
  const shell = new Response(forAnybody(now), { headers });
  await (await caches.open(CACHE)).put(SHELL, shell);
}

// What came with the page, and what it shows of that, is as old as the page, and so is whether its reader was a stranger.
function forAnybody(page) {
  return page
    .replace(/<div id="first-answers"[^>]*><\/div>/, '')
    .replace(/<!--early-->[\s\S]*?<!--\/early-->/, '')
    .replace('<meta name="sibyl-stranger">', '');
}

function scriptOf(page) {
  return /src="(\/assets\/[\w-]+\.js)"/.exec(page)?.[1];
}

async function keptFile(request) {
  const kept = await caches.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}
