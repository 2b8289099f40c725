// Live data as components read it: streams for as long as they are shown, and books that prove themselves.
import type { BaseOf, FrameOn, LiveOrderBook, SibylSocket, StreamNameText } from '@sibyl/sdk';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { type ConnectionView, connection } from './connection.ts';

export function useConnection(): ConnectionView {
  return useSyncExternalStore(connection.subscribe, () => connection.view);
}

export function useSocket(): SibylSocket | null {
  return useSyncExternalStore(connection.subscribe, () => connection.socket);
}

/**
 * Hears a stream while the component is shown; null hears nothing. `onStart` is called when the stream begins and
 * whenever it begins anew: after a gap, what was read before it is older and is to be read again.
 */
export function useStream<const Name extends StreamNameText>(
  stream: Name | null,
  onFrame: (frame: FrameOn<BaseOf<Name>>) => void,
  onStart: (isAfterGap: boolean) => void = () => undefined,
): void {
  const socket = useSocket();
  const heard = useEffectEvent(onFrame);
  const started = useEffectEvent(onStart);
  // Another connection begins anew what the one before it told.
  const hasBegun = useRef(false);
  useEffect(() => {
    if (socket === null || stream === null || socket.state === 'closed') return;
    const subscription = socket.subscribe(stream, {
      onFrame: (frame) => heard(frame),
      onResync: () => started(true),
    });
    let isShown = true;
    subscription.ready.then(
      () => {
        if (!isShown) return;
        started(hasBegun.current);
        hasBegun.current = true;
      },
      () => undefined,
    );
    return () => {
      isShown = false;
      subscription.close();
    };
  }, [socket, stream]);
}

export interface BookView {
  readonly bids: LiveOrderBook['bids'];
  readonly asks: LiveOrderBook['asks'];
  readonly isSynced: boolean;
  readonly seq: number;
}

/** The verified book of an outcome, drawn at most once a frame; null before its first snapshot, and for no outcome. */
export function useBook(marketId: string, outcomeId: string | null): BookView | null {
  const socket = useSocket();
  const [view, setView] = useState<BookView | null>(null);
  useEffect(() => {
    setView(null);
    if (outcomeId === null || socket === null || socket.state === 'closed') return;
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      const { bids, asks, isSynced, seq } = book;
      setView({ bids: [...bids], asks: [...asks], isSynced, seq });
    };
    const book = socket.orderBook(marketId, outcomeId, {
      onChange: () => {
        if (frame === 0) frame = requestAnimationFrame(draw);
      },
    });
    return () => {
      cancelAnimationFrame(frame);
      book.close();
    };
  }, [socket, marketId, outcomeId]);
  return view;
}
