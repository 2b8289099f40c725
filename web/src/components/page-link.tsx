// A link to another page of this lane.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Props {
  /** Below the lane's prefix. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** The id of the card that the page scrolls to. */
  readonly hash?: string;
  readonly className?: string;
  /** Is the current page only there, and not at addresses below it. */
  readonly isExact?: boolean;
  readonly children: ReactNode;
}

export function PageLink({ to, search, hash, className, isExact = to === '/', children }: Props) {
  return (
    <Link
      to={to}
      {...(search !== undefined && { search: search as never })}
      {...(hash !== undefined && { hash })}
      {...(className !== undefined && { className })}
      activeOptions={{ exact: isExact, includeSearch: false }}
    >
      {children}
    </Link>
  );
}
