// Errors of the last day by code, with what the catalogue says of each.
import type { Answer } from '@sibyl/sdk';
import { PageLink } from '../../components/page-link.tsx';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { catalogueSentence } from './catalogue-sentence.ts';
import { requestTexts } from './requests/texts.ts';
import { When } from './when.tsx';

type Group = Answer<'getRequestSummary'>['errors'][number];

export function ErrorGroups({ groups }: { readonly groups: readonly Group[] }) {
  const t = useTexts(requestTexts);
  const locale = useLocale();
  return (
    <ul aria-label={t('errorsByCode')} className="flex flex-col">
      {groups.map(
        ({ code, error_count: count, last_seen_at_ms: seenMs, example_request_id: id }) => (
          <li
            key={code}
            className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 first:border-t-0"
          >
            <div className="min-w-0 flex-1 basis-64">
              <PageLink
                to="/developers/requests"
                search={{ code }}
                className="font-mono text-xs font-semibold break-all text-accent underline underline-offset-2"
              >
                {code}
              </PageLink>
              <p className="text-muted">{catalogueSentence(locale, code)}</p>
            </div>
            <div className="flex gap-2 text-xs text-muted sm:flex-col sm:items-end sm:gap-0">
              <span>{t('times', { count })}</span>
              <PageLink
                to={`/developers/requests/${id}`}
                className="text-accent underline underline-offset-2"
              >
                <When ms={seenMs} />
              </PageLink>
            </div>
          </li>
        ),
      )}
    </ul>
  );
}
