// Where somebody is signed in, and the end of what is not theirs.
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { useWork } from '../../components/use-work.ts';
import { dateTime } from '../../format/times.ts';
import { useClient, useWho } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { ownSecurityTexts } from './security-texts.ts';

export function SessionList() {
  const t = useTexts(ownSecurityTexts);
  const locale = useLocale();
  const client = useClient();
  const who = useWho();
  const { error: fault, run } = useWork();
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions', who],
    queryFn: () => client.sessions.list(),
  });
  const act = (work: () => Promise<unknown>): Promise<void> =>
    run(async () => {
      await work();
      await refetch();
    });
  const sessions = data?.sessions ?? [];
  return (
    <Card title={t('sessions')}>
      <div className="flex flex-col gap-3">
        {(error ?? fault) !== null && <ErrorNote error={error ?? fault} />}
        <ul className="flex flex-col gap-2">
          {sessions.map((session) => (
            <li
              key={session.session_id}
              className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-page p-3"
            >
              <span className="min-w-0">
                <span className="font-semibold">
                  {session.device === '' ? t('program') : session.device}
                </span>
                {session.is_current && <span className="text-gain"> ({t('thisOne')})</span>}
                <br />
                <span className="text-xs text-muted">
                  {t('seen', {
                    network: session.network,
                    when: dateTime(locale, session.last_seen_at_ms),
                  })}
                </span>
              </span>
              {!session.is_current && (
                <Button onClick={() => act(() => client.sessions.end(session.session_id))}>
                  {t('end')}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {sessions.length > 1 && (
          <span>
            <Button onClick={() => act(() => client.sessions.endOthers())}>{t('endOthers')}</Button>
          </span>
        )}
      </div>
    </Card>
  );
}
