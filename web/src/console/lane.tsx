// The lane that the console shows and acts on. Every address begins with it, so that a link shows others the same.
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type Lane, lanes } from '../lane.ts';

const STORED = 'sibyl.console.lane';

/** Null for an address without a lane, or with one that this server does not run. */
export function laneOf(path: string): Lane | null {
  const [, first = ''] = path.split('/');
  return lanes.find((known) => known === first) ?? null;
}

/** Where an address without a lane leads: the lane that was chosen last. */
export function homeLane(): Lane {
  return laneOf(`/${localStorage.getItem(STORED) ?? ''}`) ?? lanes[0] ?? 'live';
}

export function useLane() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const navigate = useNavigate();
  const lane = laneOf(path) ?? homeLane();
  return {
    lane,
    /** The same page in the other lane, without the record: that belongs to this lane. */
    choose: (next: Lane) => {
      localStorage.setItem(STORED, next);
      const [, , page = ''] = path.split('/');
      navigate({ to: `/${next}/${page}` }).catch(() => undefined);
    },
  };
}

export { type Lane, lanes };
