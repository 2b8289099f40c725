// Addresses to pages: the table comes from the folders of the pages.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { Frame } from './frame/frame.tsx';
import { NotFound } from './frame/not-found.tsx';
import { PageFault } from './frame/page-fault.tsx';
import { basePath } from './lane.ts';
import { allPages } from './pages/page.ts';

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const routes = allPages.map((page) =>
  createRoute({
    getParentRoute: () => root,
    path: page.path,
    component: lazyRouteComponent(page.load, 'Page'),
    staticData: { page },
  }),
);

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: basePath === '' ? '/' : basePath,
  defaultPreload: 'intent',
  defaultErrorComponent: PageFault,
  scrollRestoration: true,
});
