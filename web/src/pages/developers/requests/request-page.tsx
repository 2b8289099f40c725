// One request: what was sent, what came back, and how to send it again.
import type { Answer } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Figure } from '../../../components/figure.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { latency } from '../../../format/latency.ts';
import { dateTime } from '../../../format/times.ts';
import { SignInFirst } from '../../../frame/sign-in-first.tsx';
import { basePath } from '../../../lane.ts';
import { useClient, useSession, useWho } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { catalogueSentence } from '../catalogue-sentence.ts';
import { DevelopersLayout } from '../layout.tsx';
import { prettyJson } from '../pretty-json.ts';
import { noteRate } from '../rates.ts';
import { asCurl } from './as-curl.ts';
import { StatusBadge } from './status-badge.tsx';
import { requestTexts } from './texts.ts';

export function Page() {
  const t = useTexts(requestTexts);
  const { requestId = '' } = useParams({ strict: false });
  const client = useClient();
  const who = useWho();
  const { status } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['request', basePath, who, requestId],
    queryFn: () => client.requests.get(requestId, { onAnswer: noteRate }),
    enabled: status === 'signed_in',
  });
  return (
    <DevelopersLayout
      title={
        data === undefined ? (
          <code className="font-mono text-base">{requestId}</code>
        ) : (
          <span className="font-mono text-base break-all">
            {data.method} {data.path}
          </span>
        )
      }
      aside={
        <PageLink
          to="/developers/requests"
          isExact
          className="text-accent underline underline-offset-2"
        >
          {t('back')}
        </PageLink>
      }
    >
      {status !== 'signed_in' && <SignInFirst title={t('need')} text={t('needText')} />}
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {status === 'signed_in' && error === null && data === undefined && (
        <Skeleton className="h-96 w-full" />
      )}
      {data !== undefined && <Whole request={data} />}
    </DevelopersLayout>
  );
}

function Whole({ request }: { readonly request: Answer<'getRequest'> }) {
  const t = useTexts(requestTexts);
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <Facts request={request} />
      </Card>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <div className="flex min-w-0 flex-col gap-1">
            <CodeBlock label={t('asCurl')} text={asCurl(location.origin, request)} />
            <p className="text-xs text-muted">{t('asCurlHint')}</p>
          </div>
          <CodeBlock
            isWrapped
            label={t('headers')}
            text={request.request_headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Body
            label={t('requestBody')}
            text={request.request_body}
            bytes={request.request_body_bytes}
            isWithheld={request.request_body_bytes > 0}
          />
          <Body
            label={t('answerBody')}
            text={request.answer_body}
            bytes={request.answer_body_bytes}
            isWithheld={request.secrets_withheld}
          />
        </div>
      </div>
    </div>
  );
}

function Facts({ request }: { readonly request: Answer<'getRequest'> }) {
  const t = useTexts(requestTexts);
  const locale = useLocale();
  const { status, code, credential_kind: kind, credential_id: credential } = request;
  return (
    <dl className="grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-[auto_auto_auto_auto_auto_auto]">
      <Figure label={t('status')}>
        <StatusBadge status={status} />
      </Figure>
      <Figure label={t('latency')}>{latency(locale, request.latency_us)}</Figure>
      <Figure label={t('time')}>{dateTime(locale, request.requested_at_ms)}</Figure>
      <Figure label={t('operation')}>
        <code className="font-mono text-xs">{request.operation}</code>
      </Figure>
      <Figure label={kind === 'session' ? t('session') : t('credential')}>
        <code className="font-mono text-xs">{credential}</code>
      </Figure>
      <Figure label={t('requestId')}>
        <span className="flex items-center gap-1">
          <code className="truncate font-mono text-xs">{request.request_id}</code>
          <CopyButton text={request.request_id} />
        </span>
      </Figure>
      {code !== null && (
        <div className="col-span-full rounded-md bg-loss-soft p-3 text-loss">
          <dt className="font-mono text-xs font-semibold">{code}</dt>
          <dd>{catalogueSentence(locale, code)}</dd>
        </div>
      )}
    </dl>
  );
}

interface BodyProps {
  readonly label: string;
  readonly text: string | null;
  readonly bytes: number;
  /** Why there is no text: it was not kept, rather than not there. */
  readonly isWithheld: boolean;
}

function Body({ label, text, bytes, isWithheld }: BodyProps) {
  const t = useTexts(requestTexts);
  if (text === null) {
    return (
      <section className="rounded-md border border-line bg-page p-3">
        <h2 className="text-xs text-muted">{label}</h2>
        <p className="mt-1">{t(isWithheld ? 'withheld' : 'noBody')}</p>
      </section>
    );
  }
  const isCut = new TextEncoder().encode(text).length < bytes;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <CodeBlock isWrapped label={label} text={prettyJson(text)} />
      {isCut && <p className="text-xs text-muted">{t('cut', { bytes })}</p>}
    </div>
  );
}
