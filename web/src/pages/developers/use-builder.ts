// Whoever is at the page as a builder: tier, application, what is left to graduation.
import type { Answer } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { basePath } from '../../lane.ts';
import { useClient, useSession, useWho } from '../../session/use-session.ts';
import { noteRate } from './rates.ts';

export type Builder = Answer<'getBuilder'>;

const EVERY_MS = 15_000;

export function useBuilder() {
  const client = useClient();
  const session = useSession();
  const who = useWho();
  return useQuery({
    queryKey: ['builder', basePath, who],
    queryFn: () => client.builders.me({ onAnswer: noteRate }),
    enabled: session.status === 'signed_in' && !session.isDemo,
    refetchInterval: EVERY_MS,
  });
}
