// Addresses of the console to its pages.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { Empty } from '../components/empty.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { PageLink } from '../components/page-link.tsx';
import { areas, ownArea } from './areas.ts';
import { Frame } from './frame/frame.tsx';

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const routes = [...areas, ownArea].map((area) =>
  createRoute({
    getParentRoute: () => root,
    path: area.path,
    component: lazyRouteComponent(area.load, 'Page'),
  }),
);

function NotFound() {
  return (
    <Empty title="There is no such page" action={<PageLink to="/">To the overview</PageLink>} />
  );
}

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error }) => <ErrorNote error={error} />,
  scrollRestoration: true,
});
