// A link to a page of the console, in the lane that is shown.
import type { ComponentProps } from 'react';
import { PageLink } from '../components/page-link.tsx';
import { useLane } from './lane.tsx';

export function LaneLink({ to, ...props }: ComponentProps<typeof PageLink>) {
  const { lane } = useLane();
  return <PageLink {...props} to={`/${lane}${to}`} isExact={to === '/'} />;
}
