// Publishable keys of widgets: whose app it is, and whether the page may use it.
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiError, fail, type LaneName, rejected } from '../handling/handler.ts';
import type { AppRecord, AppStore } from '../ports/apps.ts';
import type { PlatformStore } from '../ports/platform.ts';

const FORM = /^pk_[0-9A-Za-z]{16}_[0-9A-Za-z_-]{43}$/;

/** Apps remembered at once; the oldest is read anew when there are more. */
const REMEMBERED_MAX = 10_000;

/** The key that a request carries in place of a credential; null if it carries none. */
export function widgetKeyOf(headers: IncomingHttpHeaders): string | null {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (typeof apiKey === 'string' && apiKey.startsWith('pk_')) {
    return authorization === undefined ? apiKey : null;
  }
  if (apiKey !== undefined || authorization === undefined) return null;
  const isBearer = authorization.slice(0, 7).toLowerCase() === 'bearer ';
  return isBearer && authorization.startsWith('pk_', 7) ? authorization.slice(7) : null;
}

export class WidgetKeys {
  readonly #apps: Pick<AppStore, 'appByWidgetKey'>;
  /** By key: only those of real apps get here, so that guesses fill nothing. */
  readonly #known = new Map<string, AppRecord>();
  readonly #stopListening: () => void;
  /** Rises with every change, so that what was read before one is never remembered after it. */
  #changes = 0;

  constructor(platform: Pick<PlatformStore, 'apps' | 'onChange'>) {
    this.#apps = platform.apps;
    this.#stopListening = platform.onChange((change) => {
      if (change.kind !== 'app') return;
      this.#changes += 1;
      for (const [key, { appId }] of this.#known) {
        if (appId === change.appId) this.#known.delete(key);
      }
    });
  }

  /** Null if no app has the key. */
  async appOf(widgetKey: string): Promise<AppRecord | null> {
    if (!FORM.test(widgetKey)) return null;
    const known = this.#known.get(widgetKey);
    if (known !== undefined) return known;
    for (;;) {
      const changes = this.#changes;
      const app = await this.#apps.appByWidgetKey(widgetKey);
      if (changes !== this.#changes) continue;
      if (app !== null) this.#remember(app);
      return app;
    }
  }

  close(): void {
    this.#stopListening();
  }

  #remember(app: AppRecord): void {
    if (this.#known.size >= REMEMBERED_MAX) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(app.widgetKey, app);
  }
}

/** Null if the page may read with the key: the app is in force for the address, and names the page's origin. */
export function widgetRefusal(
  app: AppRecord | null,
  address: LaneName,
  origin: string | undefined,
): ApiError | null {
  if (app === null) return rejected('unknown');
  if (app.status === 'disabled') return rejected('revoked');
  if (app.status !== 'approved' && address === 'live') {
    return rejected(
      'not_enabled',
      'The app of this widget key is not approved: it reads the sandbox.',
    );
  }
  if (origin !== undefined && app.allowedOrigins.includes(origin)) return null;
  return fail('WIDGET_ORIGIN_BLOCKED', { origin: origin ?? null });
}
