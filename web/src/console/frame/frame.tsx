// What stands around every page of the console: the lane, the pages, who acts, and whether the books balance.
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Menu } from '../../components/menu.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { nextTheme, useTheme } from '../../frame/use-theme.ts';
import { ActDialog } from '../acts/act-dialog.tsx';
import { areas, ownArea } from '../areas.ts';
import { lanes, useLane } from '../lane.tsx';
import { LaneLink } from '../lane-link.tsx';
import { FirstSteps, isUnsecured, UnsecuredNote, useFirstSteps } from '../session/first-steps.tsx';
import { StepUpDialog } from '../session/step-up-dialog.tsx';
import { signOut, useIdentity } from '../session/use-session.ts';
import { useAsk } from '../use-ask.ts';
import { ReconciliationBar } from './reconciliation-bar.tsx';

export function Frame() {
  useTitle();
  const identity = useIdentity();
  const { factor_reset_at: resetAt } = identity;
  const [isFirstSteps, leaveFirstSteps] = useFirstSteps();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-3 focus:py-2 focus:text-on-accent"
      >
        Skip to the page
      </a>
      <LaneBar />
      <header className="sticky top-0 z-20 border-b border-line bg-surface">
        <div className="mx-auto flex h-14 max-w-[90rem] items-center gap-4 px-4 sm:px-6">
          <LaneLink to="/" className="flex items-center gap-2 text-base font-semibold">
            <img src="/icon.svg" alt="" width="24" height="24" />
            Sibyl <span className="font-normal text-muted">console</span>
          </LaneLink>
          <div className="ml-auto flex items-center gap-2">
            {!isFirstSteps && <LaneChoice />}
            <Person />
          </div>
        </div>
        {!isFirstSteps && <Pages />}
      </header>
      {!isFirstSteps && <ReconciliationBar />}
      {!isFirstSteps &&
        (resetAt !== null ? <ResetNote /> : isUnsecured(identity) && <UnsecuredNote />)}
      <main id="content" className="mx-auto w-full max-w-[90rem] flex-1 px-4 pt-4 pb-10 sm:px-6">
        <Suspense>{isFirstSteps ? <FirstSteps onLeave={leaveFirstSteps} /> : <Outlet />}</Suspense>
      </main>
      <ActDialog />
      <StepUpDialog />
    </div>
  );
}

/** Stays until another factor is enrolled: whoever did not ask for it has to notice. */
function ResetNote() {
  return (
    <p role="status" className="bg-warn-soft px-4 py-1 text-center text-warn">
      Another operator removed your second factor.{' '}
      <LaneLink to={ownArea.path} className="underline">
        Set up another
      </LaneLink>
    </p>
  );
}

const COLOURS = { live: 'bg-live', sandbox: 'bg-sandbox' } as const;

/** Which money an act is about is never in doubt. */
function LaneBar() {
  const { lane } = useLane();
  return (
    <p className={`px-4 py-1 text-center text-xs font-semibold text-on-lane ${COLOURS[lane]}`}>
      {lane === 'live' ? 'LIVE: actions affect real money' : 'SANDBOX: play money'}
    </p>
  );
}

function LaneChoice() {
  const { lane, choose } = useLane();
  if (lanes.length < 2) return null;
  return (
    <Segmented
      label="Lane"
      value={lane}
      onChoose={choose}
      choices={[
        { value: 'live', label: 'Live' },
        { value: 'sandbox', label: 'Sandbox' },
      ]}
    />
  );
}

function Person() {
  const { name, roles } = useIdentity();
  const [theme, setTheme] = useTheme();
  const navigate = useNavigate();
  const { lane } = useLane();
  const queries = useQueryClient();
  return (
    <Menu
      label="You"
      trigger={<span className="max-w-24 truncate font-semibold">{name}</span>}
      head={
        <div className="flex flex-wrap gap-1">
          {roles.map((role) => (
            <Badge key={role} tone="accent">
              {role.replace('_', ' ')}
            </Badge>
          ))}
        </div>
      }
      items={[
        {
          id: 'you',
          label: 'Second factor, sessions, password',
          onSelect: () => {
            navigate({ to: `/${lane}${ownArea.path}` }).catch(() => undefined);
          },
        },
        { id: 'theme', label: `Theme: ${theme}`, onSelect: () => setTheme(nextTheme(theme)) },
        {
          id: 'out',
          label: 'Sign out',
          onSelect: () => {
            // What is still being read would be refused after it, and taken for a session that somebody ended.
            queries
              .cancelQueries()
              .then(signOut)
              .catch(() => undefined);
          },
        },
      ]}
    />
  );
}

const WAITING_EVERY_MS = 10_000;

function Pages() {
  const waiting = useWaiting();
  return (
    <nav
      aria-label="Pages"
      className="mx-auto flex max-w-[90rem] gap-1 overflow-x-auto px-2 pb-1 sm:px-4"
    >
      {areas.map(({ path, title }) => (
        <LaneLink
          key={path}
          to={path}
          className="flex items-center gap-2 rounded-md px-2 py-1.5 whitespace-nowrap text-muted hover:bg-accent-soft hover:text-text aria-[current=page]:font-semibold aria-[current=page]:text-text"
        >
          {title}
          {path === '/queues' && waiting > 0 && <Badge tone="warn">{waiting}</Badge>}
        </LaneLink>
      ))}
    </nav>
  );
}

/** Everything that waits for somebody, in the lane and for agreement. */
function useWaiting(): number {
  const { lane } = useLane();
  const options = { everyMs: WAITING_EVERY_MS };
  const queues = useAsk('getQueues', { query: { lane } }, options);
  const platform = useAsk('getPlatform', {}, options);
  // Acts are counted once, for both lanes.
  const own = queues.data?.queues.filter(({ kind }) => kind !== 'approval') ?? [];
  const inLane = own.reduce((sum, { count }) => sum + count, 0);
  return inLane + (platform.data?.approvals_waiting ?? 0);
}

function useTitle(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    const [, , page = '', record] = path.split('/');
    const area = [...areas, ownArea].find((known) => known.path === `/${page}`);
    document.title = [record, area?.title, 'Sibyl console'].filter(Boolean).join(' · ');
  }, [path]);
}
