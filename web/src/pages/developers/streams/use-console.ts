// A socket of its own for the console: what is tried here disturbs nothing else of the page.
import {
  createSocket,
  type Identity,
  type SibylSocket,
  type SocketState,
  type StreamNameText,
  type Subscription,
} from '@sibyl/sdk';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { basePath } from '../../../lane.ts';
import { useSession } from '../../../session/use-session.ts';
import { FrameLog, type LogView } from './frame-log.ts';

export interface Console {
  readonly state: SocketState;
  readonly identity: Identity | null;
  readonly roundTripMs: number | null;
  readonly subscriptions: readonly StreamNameText[];
  readonly error: unknown;
  readonly log: LogView;
  readonly subscribe: (name: StreamNameText) => void;
  readonly unsubscribe: (name: StreamNameText) => void;
  readonly pause: (isPaused: boolean) => void;
  readonly clear: () => void;
}

const PING_MS = 2_000;
const RETRY_MS = 2_000;

export function useConsole(): Console {
  const [log] = useState(() => new FrameLog());
  const view = useSyncExternalStore(log.subscribe, () => log.view);
  const { socket, state, roundTripMs } = useOwnSocket(log);
  const heard = useRef(new Map<StreamNameText, Subscription<object>>());
  const [subscriptions, setSubscriptions] = useState<readonly StreamNameText[]>([]);
  const [error, setError] = useState<unknown>(null);

  // Another person has another socket; what was heard on the old one ended with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new socket begins with nothing
  useEffect(() => {
    heard.current.clear();
    setSubscriptions([]);
    setError(null);
  }, [socket]);

  const unsubscribe = (name: StreamNameText): void => {
    heard.current.get(name)?.close();
    heard.current.delete(name);
    setSubscriptions([...heard.current.keys()]);
  };
  const subscribe = (name: StreamNameText): void => {
    if (socket === null || socket.state === 'closed' || heard.current.has(name)) return;
    setError(null);
    const subscription = socket.subscribe(name, { onFrame: (frame) => log.add(frame) });
    heard.current.set(name, subscription);
    setSubscriptions([...heard.current.keys()]);
    subscription.ready.catch((fault: unknown) => {
      if (heard.current.get(name) !== subscription) return;
      setError(fault);
      unsubscribe(name);
    });
  };
  return {
    state,
    identity: state === 'open' ? (socket?.identity ?? null) : null,
    roundTripMs,
    subscriptions,
    error,
    log: view,
    subscribe,
    unsubscribe,
    pause: (isPaused) => log.pause(isPaused),
    clear: () => log.clear(),
  };
}

interface OwnSocket {
  readonly socket: SibylSocket | null;
  readonly state: SocketState;
  readonly roundTripMs: number | null;
}

function useOwnSocket(log: FrameLog): OwnSocket {
  const session = useSession();
  const token = session.status === 'signed_in' ? session.token : null;
  const [socket, setSocket] = useState<SibylSocket | null>(null);
  const [state, setState] = useState<SocketState>('idle');
  const [roundTripMs, setRoundTripMs] = useState<number | null>(null);
  useEffect(() => {
    if (session.status === 'unknown') return;
    const made = createSocket({
      baseUrl: location.origin + basePath,
      ...(token !== null && { token }),
    });
    const connect = (): void => {
      made.connect().catch(() => {
        if (made.state !== 'closed') attempt = setTimeout(connect, RETRY_MS);
      });
    };
    // Not before whoever only passes by has left again.
    let attempt = setTimeout(connect, 0);
    made.on('state', (next) => {
      setState(next);
      if (next !== 'open') setRoundTripMs(null);
    });
    // Pongs answer the console's own pings: they are told as the round trip.
    made.on('notice', (frame) => {
      if (frame.type !== 'pong') log.add(frame);
    });
    const ping = setInterval(() => {
      if (made.state !== 'open') return;
      made.ping().then(
        ({ roundTripMs: ms }) => setRoundTripMs(ms),
        () => setRoundTripMs(null),
      );
    }, PING_MS);
    setSocket(made);
    return () => {
      clearTimeout(attempt);
      clearInterval(ping);
      made.close();
    };
  }, [session.status, token, log]);
  return { socket, state, roundTripMs };
}
