// Streams by hand: subscribe, and see every frame as it comes.
import { Card } from '../../../components/card.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { DevelopersLayout } from '../layout.tsx';
import { ConnectionFacts } from './connection-facts.tsx';
import { Frames } from './frames.tsx';
import { Subscribe } from './subscribe.tsx';
import { streamTexts } from './texts.ts';
import { useConsole } from './use-console.ts';

export function Page() {
  const t = useTexts(streamTexts);
  const console = useConsole();
  return (
    <DevelopersLayout title={t('title')}>
      <Card>
        <div className="flex flex-col gap-4">
          <ConnectionFacts console={console} />
          <Subscribe console={console} />
          {console.error !== null && <ErrorNote error={console.error} />}
        </div>
      </Card>
      <Frames console={console} />
    </DevelopersLayout>
  );
}
