// An app as whoever reviews it should know it: who asks, where it leads people back to, what it wants to do and what it takes.
import { ErrorNote } from '../../components/error-note.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Facts } from '../acts/facts.tsx';
import { useAsk } from '../use-ask.ts';

/** The queue shows fewer, in the same order. */
const SHOWN = 200;

export function AskedApp({ appId }: { readonly appId: string }) {
  const query = { status: 'in_review', limit: SHOWN } as const;
  const { data, error } = useAsk('findApps', { query });
  const app = data?.find(({ app_id: id }) => id === appId);
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return <Skeleton className="h-32 w-full" />;
  if (app === undefined) return <p className="text-muted">It waits for no review any more.</p>;
  const { name, owner_id, redirect_uris, allowed_scopes, builder_fee_bps } = app;
  return <Facts of={{ name, owner_id, redirect_uris, allowed_scopes, builder_fee_bps }} />;
}
