// Opens the reference in the sandbox: with a real market in its examples, and a key made on the spot.
/* global Scalar */

const STORED = 'sibyl-sandbox-key';
const EXAMPLE_MARKET = 'm_0123456789abcdef';

const text = await (await fetch('/openapi.json')).text();
const { servers } = JSON.parse(text);
const sandbox = servers.find((server) => server['x-environment'] === 'sandbox');

if (sandbox === undefined) {
  show(text, null);
} else {
  const base = sandbox.url === '/' ? '' : sandbox.url;
  const [marketId, key] = await Promise.all([findMarket(base), keptKey(base)]);
  const reference = show(text.replaceAll(EXAMPLE_MARKET, marketId ?? EXAMPLE_MARKET), key);
  offerKey(base, key, (made) => reference.use(made));
}

/** The reference of the document; `use` fills a key into its console. */
function show(document, key) {
  const configuration = {
    content: JSON.parse(document),
    authentication: authentication(key),
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    // The bar has a link to the document as it is served.
    documentDownloadType: 'none',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  };
  const shown = Scalar.createApiReference('#reference', configuration);
  return {
    use: (made) =>
      shown.updateConfiguration({ ...configuration, authentication: authentication(made) }),
  };
}

function authentication(key) {
  return {
    preferredSecurityScheme: 'bearer',
    securitySchemes: { bearer: { token: key ?? '' } },
  };
}

/** A market that example orders can be placed in; null if there is none. */
async function findMarket(base) {
  const answer = await call(`${base}/v1/markets?status=active&market_type=normal&limit=100`);
  const found = answer.data?.find(({ outcomes }) => outcomes.some(({ id }) => id === 'yes'));
  return found?.market_id ?? null;
}

/** The key of an earlier visit, if it still works. */
async function keptKey(base) {
  const key = localStorage.getItem(STORED);
  if (key === null) return null;
  const answer = await call(`${base}/v1/account`, { headers: bearer(key) });
  if (answer.ok) return key;
  localStorage.removeItem(STORED);
  return null;
}

/** The button that makes a key, gives it test money and hands it to the console. */
function offerKey(base, kept, use) {
  const [box, state, button] = ['key', 'key-state', 'key-button'].map((id) =>
    document.getElementById(id),
  );
  const tell = (key) => {
    state.replaceChildren(
      'Test requests use ',
      Object.assign(document.createElement('code'), { textContent: key }),
    );
    button.hidden = true;
  };
  box.hidden = false;
  if (kept !== null) tell(kept);
  button.addEventListener('click', async () => {
    button.disabled = true;
    const { data, error } = await call(`${base}/v1/sandbox-keys`, { method: 'POST' });
    button.disabled = false;
    if (error !== null) {
      state.textContent = error.message;
      return;
    }
    await call(`${base}/v1/sandbox/faucet`, { method: 'POST', headers: bearer(data.key_id) });
    localStorage.setItem(STORED, data.key_id);
    use(data.key_id);
    tell(data.key_id);
  });
}

/** The envelope of the answer; one with an error if there was no answer. */
async function call(url, options) {
  try {
    return await (await fetch(url, options)).json();
  } catch {
    return { ok: false, data: null, error: { message: 'The server did not answer; try again.' } };
  }
}

function bearer(key) {
  return { authorization: `Bearer ${key}` };
}
