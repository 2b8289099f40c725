// The account of whoever is signed in, as the exchange tells it.
import { useQuery } from '@tanstack/react-query';
import { basePath } from '../lane.ts';
import { useClient, useSession, useWho } from '../session/use-session.ts';

export function useAccount() {
  const client = useClient();
  const session = useSession();
  const who = useWho();
  return useQuery({
    queryKey: ['account', basePath, who],
    queryFn: () => client.account.get(),
    enabled: session.status === 'signed_in',
  });
}
