// An app in a list that knows its id only.
import { useApps } from '../use-apps.ts';

export function AppName({ appId }: { readonly appId: string }) {
  const { rows } = useApps();
  const name = rows?.find(({ app_id: id }) => id === appId)?.name;
  if (name === undefined) return <code className="font-mono text-xs">{appId}</code>;
  return <bdi className="wrap-anywhere">{name}</bdi>;
}
