// The one act that somebody is at. It stands in the frame and not beside its button, which may be gone once the act is done:
// what came of it is read all the same.
import { type ComponentProps, useSyncExternalStore } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { ActForm } from './act-form.tsx';

type Asked = ComponentProps<typeof ActForm>;

let asked: Asked | null = null;
const listeners = new Set<() => void>();

/** Shows the form of the act. */
export function openAct(wanted: Asked): void {
  change(wanted);
}

export function ActDialog() {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
  if (current === null) return null;
  return (
    <Dialog title={current.operation.summary} isOpen onClose={() => change(null)}>
      <ActForm {...current} />
    </Dialog>
  );
}

function change(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}
