// A page that failed: the frame stays, and says so.
import { ErrorNote } from '../components/error-note.tsx';
import { isLoadFault } from '../texts/errors.ts';

export function PageFault({
  error,
  reset,
}: {
  readonly error: unknown;
  readonly reset: () => void;
}) {
  // A browser remembers that a script could not be loaded until the page begins anew.
  const retry = isLoadFault(error) ? () => location.reload() : reset;
  return <ErrorNote error={error} onRetry={retry} />;
}
