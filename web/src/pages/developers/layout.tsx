// What stands around each page for developers: its heading and the way to the others.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { PageLink } from '../../components/page-link.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { developerTexts } from './texts.ts';

interface Props {
  readonly title: ReactNode;
  /** Stands at the right of the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

const sections = [
  { to: '/developers', text: 'overview' },
  { to: '/developers/keys', text: 'keys' },
  { to: '/developers/apps', text: 'apps' },
  { to: '/developers/builder', text: 'builder' },
  { to: '/developers/revenue', text: 'revenue' },
  { to: '/developers/requests', text: 'requests' },
  { to: '/developers/streams', text: 'streams' },
  { to: '/developers/webhooks', text: 'webhooks' },
  { to: '/developers/signing', text: 'signing' },
] as const;

const link =
  '-mb-px inline-flex h-11 shrink-0 items-center border-b-2 border-transparent whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-text';

export function DevelopersLayout({ title, aside, children }: Props) {
  const t = useTexts(developerTexts);
  const strip = useRef<HTMLElement>(null);
  // A phone shows a part of the strip: the part with the page that is open.
  useLayoutEffect(() => centreCurrent(strip.current), []);
  return (
    <div className="flex flex-col gap-4">
      <nav
        ref={strip}
        aria-label={t('sections')}
        className="-mx-4 flex gap-5 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0"
      >
        {sections.map(({ to, text }) => (
          <PageLink key={to} to={to} isExact={to === '/developers'} className={link}>
            {t(text)}
          </PageLink>
        ))}
        {/* Documents of the exchange itself, outside this application. */}
        <a href="/docs/" className={link}>
          {t('reference')}
        </a>
      </nav>
      <header className="flex min-h-9 flex-wrap items-center justify-between gap-3">
        <h1 className="min-w-0 text-lg font-semibold">{title}</h1>
        {aside}
      </header>
      {children}
    </div>
  );
}

function centreCurrent(strip: HTMLElement | null): void {
  const current = strip?.querySelector('[aria-current=page]')?.getBoundingClientRect();
  if (strip === null || current === undefined) return;
  const { left, width } = strip.getBoundingClientRect();
  strip.scrollLeft += current.left + current.width / 2 - (left + width / 2);
}
