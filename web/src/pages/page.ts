// What a page is to the frame. Each folder beside this file has a page.ts that exports `pages`; nothing else need know it.
import type { ComponentType } from 'react';
import type { IconName } from '../components/icon.tsx';
import type { Lane } from '../lane.ts';
import type { Words } from '../texts/texts.ts';

export interface PageDefinition {
  /** Below the lane's prefix; parameters are written as $name. */
  readonly path: string;
  readonly title: Words;
  /** Loaded when somebody goes there. */
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
  /** Its place in the navigation, if it has one. */
  readonly nav?: {
    readonly order: number;
    readonly icon: IconName;
    /** The second key after g. */
    readonly key?: string;
  };
  /** The only lane that has it. */
  readonly lane?: Lane;
  /** Only in a development build. */
  readonly isForDevelopers?: boolean;
}

const modules = import.meta.glob<{ readonly pages: readonly PageDefinition[] }>('./*/page.ts', {
  eager: true,
});

export const allPages: readonly PageDefinition[] = Object.values(modules)
  .flatMap((module) => module.pages)
  .filter((page) => import.meta.env.DEV || page.isForDevelopers !== true);

export const navigation: readonly PageDefinition[] = allPages
  .filter((page) => page.nav !== undefined)
  .sort((a, b) => (a.nav?.order ?? 0) - (b.nav?.order ?? 0));
