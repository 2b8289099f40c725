// The lane that the console looks at and acts on: chosen in the frame, named in every confirm button, kept by the browser.
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { type Lane, lanes } from '../lane.ts';

const STORED = 'sibyl.console.lane';

const LaneContext = createContext<{
  readonly lane: Lane;
  readonly choose: (lane: Lane) => void;
}>({ lane: lanes[0] ?? 'live', choose: () => undefined });

export function useLane() {
  return useContext(LaneContext);
}

export function LaneProvider({ children }: { readonly children: ReactNode }) {
  const [lane, setLane] = useState<Lane>(
    () => lanes.find((known) => known === localStorage.getItem(STORED)) ?? lanes[0] ?? 'live',
  );
  const value = useMemo(
    () => ({
      lane,
      choose: (next: Lane) => {
        localStorage.setItem(STORED, next);
        setLane(next);
      },
    }),
    [lane],
  );
  return <LaneContext value={value}>{children}</LaneContext>;
}

export { type Lane, lanes };
