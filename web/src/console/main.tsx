// Where the console begins.

import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchActivity } from './activity.ts';
import { router } from './router.tsx';
import { SignInPage } from './session/sign-in-page.tsx';
import { resume, useSession } from './session/use-session.ts';
import '../styles/app.css';

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false } },
});

watchActivity(() => queries.invalidateQueries());

/** Nothing of the exchange is on the page before somebody has signed in, and nothing is left after. */
function Console() {
  const session = useSession();
  if (session.status === 'unknown') return null;
  if (session.status === 'nobody') {
    queries.clear();
    return <SignInPage ended={session.ended} />;
  }
  return <RouterProvider router={router} />;
}

resume().catch(() => undefined);

const element = document.getElementById('root');
if (element === null) throw new Error('the page has no root');
createRoot(element).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <Console />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
