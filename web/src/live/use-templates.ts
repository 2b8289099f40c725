// What markets are made from: templates change rarely, so they are asked for once.
import type { Template } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { basePath } from '../lane.ts';
import { useClient } from '../session/use-session.ts';

const FRESH_MS = 600_000;

/** Empty until the exchange has told them. */
export function useTemplates(): readonly Template[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['template-list', basePath],
    queryFn: async () => (await client.templates.list({ limit: 500 })).items,
    staleTime: FRESH_MS,
  });
  return data ?? none;
}

const none: readonly Template[] = [];
