// The status of an answer, with a colour for its class.
import { Badge } from '../../../components/badge.tsx';

export function StatusBadge({ status }: { readonly status: number }) {
  return <Badge tone={status < 400 ? 'gain' : status < 500 ? 'warn' : 'loss'}>{status}</Badge>;
}
