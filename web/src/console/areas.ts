// The pages of the console: address, name, and what is loaded when somebody goes there.
import type { ComponentType } from 'react';

export interface Area {
  readonly path: string;
  readonly title: string;
  /** Whether an opened record is part of the address. */
  readonly hasRecords?: boolean;
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
}

export const areas: readonly Area[] = [
  { path: '/', title: 'Overview', load: () => import('./overview/overview-page.tsx') },
  { path: '/queues', title: 'Queues', load: () => import('./queues/queues-page.tsx') },
  {
    path: '/markets',
    title: 'Markets',
    hasRecords: true,
    load: () => import('./markets/markets-page.tsx'),
  },
  {
    path: '/templates',
    title: 'Templates',
    hasRecords: true,
    load: () => import('./markets/templates-page.tsx'),
  },
  {
    path: '/accounts',
    title: 'Accounts',
    hasRecords: true,
    load: () => import('./accounts/accounts-page.tsx'),
  },
  {
    path: '/withdrawals',
    title: 'Withdrawals',
    hasRecords: true,
    load: () => import('./withdrawals/withdrawals-page.tsx'),
  },
  {
    path: '/builders',
    title: 'Builders',
    hasRecords: true,
    load: () => import('./builders/builders-page.tsx'),
  },
  { path: '/lanes', title: 'Lanes', load: () => import('./platform/platform-page.tsx') },
  {
    path: '/compliance',
    title: 'Compliance',
    load: () => import('./compliance/compliance-page.tsx'),
  },
  { path: '/operators', title: 'Operators', load: () => import('./operators/operators-page.tsx') },
  {
    path: '/audit-log',
    title: 'Audit log',
    load: () => import('./trail/trail-page.tsx'),
  },
  { path: '/actions', title: 'All actions', load: () => import('./acts/acts-page.tsx') },
];

/** Opened from the menu of the signed-in operator. */
export const ownArea: Area = {
  path: '/you',
  title: 'You',
  load: () => import('./session/own-page.tsx'),
};
