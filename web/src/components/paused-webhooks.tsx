// The webhooks that a new password paused, for the page that set it.
import { useTexts } from '../texts/use-texts.ts';
import { componentTexts } from './texts.ts';

interface Paused {
  readonly webhook_id: string;
  readonly environment: string;
  readonly url: string;
}

export function PausedWebhooks({ webhooks }: { readonly webhooks: readonly Paused[] }) {
  const t = useTexts(componentTexts);
  if (webhooks.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 rounded-md bg-warn-soft p-3 text-warn">
      <p>{t('webhooksPaused', { count: webhooks.length })}</p>
      <ul className="flex flex-col gap-1">
        {webhooks.map(({ webhook_id: id, environment, url }) => (
          <li key={id} className="font-mono text-xs break-all">
            {url} ({environment})
          </li>
        ))}
      </ul>
    </div>
  );
}
