// Addresses of the console to its pages: the lane, the page, and the record that is open.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Empty } from '../components/empty.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { areas, ownArea } from './areas.ts';
import { Frame } from './frame/frame.tsx';
import { homeLane, laneOf } from './lane.tsx';
import { LaneLink } from './lane-link.tsx';

const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  beforeLoad: ({ location: { pathname, href } }) => {
    if (laneOf(pathname) === null) throw redirect({ href: `/${homeLane()}${href}`, replace: true });
  },
});

const laneRoute = createRoute({ getParentRoute: () => root, path: '/$lane' });

const routes = [...areas, ownArea].map(({ path, hasRecords = false, load }) =>
  createRoute({
    getParentRoute: () => laneRoute,
    // One route for the list and the record: opening a record keeps the list as it is.
    path: hasRecords ? `${path}/{-$record}` : path,
    component: lazyRouteComponent(load, 'Page'),
  }),
);

function NotFound() {
  return (
    <Empty
      title="There is no such page"
      action={<LaneLink to="/">Back to the overview</LaneLink>}
    />
  );
}

export const router = createRouter({
  routeTree: root.addChildren([laneRoute.addChildren(routes)]),
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error }) => <ErrorNote error={error} />,
  scrollRestoration: true,
});
