// From a template to a market of one's own, and the markets one has made.
import type { Template } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ErrorNote } from '../../components/error-note.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { basePath, lane } from '../../lane.ts';
import { useClient, useSession } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { MyMarkets } from './my-markets.tsx';
import { TemplateForm } from './template-form.tsx';
import { TemplateGallery } from './template-gallery.tsx';
import { createTexts } from './texts.ts';

export function Page() {
  const t = useTexts(createTexts);
  const session = useSession();
  const { template: wanted }: { readonly template?: unknown } = useSearch({ strict: false });
  const { templates, error, retry } = useTemplates();
  const chosen = templates?.find(({ id }) => id === wanted) ?? null;
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg font-semibold">{t('create')}</h1>
      {error !== null && <ErrorNote error={error} onRetry={retry} />}
      {chosen !== null && <TemplateForm key={chosen.id} template={chosen} />}
      {chosen === null && error === null && (
        <>
          <p className="text-muted">{t(lane === 'live' ? 'introLive' : 'intro')}</p>
          {templates === null ? <Outlines /> : <TemplateGallery templates={templates} />}
        </>
      )}
      {session.status === 'signed_in' && <MyMarkets />}
    </div>
  );
}

/** Those that anybody may make a market from; the others are the exchange's own. */
function useTemplates() {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['creator-templates', basePath],
    queryFn: async () => {
      const templates: Template[] = [];
      const listing = client.templates.list({ market_type: 'creator', status: 'active' });
      for await (const template of listing) templates.push(template);
      return templates;
    },
  });
  return {
    templates: data ?? null,
    error,
    retry: () => {
      refetch().catch(() => undefined);
    },
  };
}

function Outlines() {
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3" aria-busy="true">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="h-32 w-full" />
      ))}
    </div>
  );
}
