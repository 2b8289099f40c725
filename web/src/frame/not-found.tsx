// An address that leads nowhere.
import { Empty } from '../components/empty.tsx';
import { PageLink } from '../components/page-link.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { frameTexts } from './texts.ts';

export function NotFound() {
  const t = useTexts(frameTexts);
  return (
    <Empty
      title={t('notFound')}
      action={
        <PageLink to="/" className="font-semibold text-accent underline">
          {t('home')}
        </PageLink>
      }
    />
  );
}
