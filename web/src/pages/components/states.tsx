// What stands where there is nothing, not yet, or no more.
import { SibylConnectionError } from '@sibyl/sdk';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ContactLink } from '../../components/contact-link.tsx';
import { Empty } from '../../components/empty.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Late, LateNote } from '../../components/late-note.tsx';
import { PausedWebhooks } from '../../components/paused-webhooks.tsx';
import { RecoveryCodes } from '../../components/recovery-codes.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TotpSetup } from '../../components/totp-setup.tsx';

const SEED = { secret: 'A'.repeat(32), uri: `otpauth://totp/Sibyl:ada?secret=${'A'.repeat(32)}` };
const CODES = ['abcd-efgh', 'ijkl-mnop'];
const PAUSED = [
  { webhook_id: 'wh_1', environment: 'sandbox', url: 'https://desk.example/hooks' },
  { webhook_id: 'wh_2', environment: 'live', url: `https://desk.example/${'w'.repeat(60)}` },
];

export function States() {
  return (
    <>
      <Card title="Loading, late, empty, failed">
        <div className="flex flex-col gap-3">
          <Skeleton className="h-4 w-40" />
          <LateNote />
          <Late silentMs={8_000} />
          <Empty title="No positions yet" action={<Button kind="primary">Find a market</Button>}>
            What you buy appears here.
          </Empty>
          <ErrorNote
            error={new SibylConnectionError('lost', null, null)}
            onRetry={() => undefined}
          />
        </div>
      </Card>
      <Card title="Second factor">
        <div className="flex flex-col gap-3">
          <TotpSetup seed={SEED} confirm={async () => CODES} onConfirmed={() => undefined} />
          <RecoveryCodes codes={CODES} onStored={() => undefined} />
        </div>
      </Card>
      <Card title="After a new password">
        <div className="flex flex-col gap-3">
          <PausedWebhooks webhooks={PAUSED} />
          <ContactLink />
        </div>
      </Card>
      <Card title="Code" aside={<Button size="small">aside</Button>}>
        <CodeBlock label="First call" text={'curl https://example.com/v1/health'} />
      </Card>
    </>
  );
}
