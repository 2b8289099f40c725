// Where the page begins.

import { CSPProvider } from '@base-ui/react/csp-provider';
import { AuthInvalidError } from '@sibyl/sdk';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ToastProvider } from './components/toasts.tsx';
import { connection } from './live/connection.ts';
import { router } from './router.tsx';
import { keepReferral } from './session/referral.ts';
import { sessionStore } from './session/session-store.ts';
import { LocaleProvider } from './texts/locale-provider.tsx';
import './styles/app.css';

const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof AuthInvalidError) sessionStore.doubt().catch(() => undefined);
    },
  }),
  defaultOptions: {
    queries: {
      // The client repeats lost answers by itself, and streams bring what is new.
      retry: false,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
    },
  },
});

// A question that failed while the exchange was away is asked again when it is back.
connection.onReturn(() => queries.invalidateQueries());
// What was refused to a session that is over is there for visitors too.
sessionStore.subscribe(() => {
  if (sessionStore.wasEnded) queries.invalidateQueries().catch(() => undefined);
});
keepReferral(location.search, Date.now());
sessionStore.resume();
sessionStore.followOtherTabs();
connection.start();

// Not while pages are being made: they change faster than a cache.
if (import.meta.env.PROD) navigator.serviceWorker?.register('/sw.js').catch(() => undefined);

const element = document.getElementById('root');
if (element === null) throw new Error('the page has no root');
const root = createRoot(element);
const show = (): void =>
  root.render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <LocaleProvider>
            <ToastProvider>
              <RouterProvider router={router} />
            </ToastProvider>
          </LocaleProvider>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
// What the document shows stays until the page can take its place: its script is on its way.
router.load().then(show, show);
