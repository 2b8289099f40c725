// Where a developer begins: a key in one click, what is allowed, and how the day went.
import { useSession } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { DevelopersLayout } from '../layout.tsx';
import { developerTexts } from '../texts.ts';
import { Day } from './day.tsx';
import { Limits } from './limits.tsx';
import { OneClickKey } from './one-click-key.tsx';
import { Tools } from './tools.tsx';

export function Page() {
  const t = useTexts(developerTexts);
  const { status } = useSession();
  return (
    <DevelopersLayout title={t('developers')}>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <OneClickKey />
          {status !== 'visitor' && <Day />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Limits />
          <Tools />
        </div>
      </div>
    </DevelopersLayout>
  );
}
