// Jobs that run by themselves while the server does: bots and rounds, graduation of keys, closing of idle demo accounts, removal
// of old records.

import type { Clock } from '@sibyl/lane';
import { usdt } from '@sibyl/money';
import type { OpenLane, OpenLanes } from './boot.ts';
import type { ReferencePrices } from './bots/reference-price.ts';
import { SandboxActivity } from './bots/sandbox-activity.ts';
import { errorFields, type Log } from './gateway/log.ts';
import { scheduleGraduation } from './modules/keys/graduation.ts';
import { scheduleDemoClosing } from './modules/sessions/idle-demos.ts';
import type { AttributedVolume } from './ports/attributed-volume.ts';
import type { PlatformStore } from './ports/platform.ts';
import type { Config } from './settings/config.ts';

export interface JobParts {
  readonly config: Config;
  readonly opened: OpenLanes;
  readonly platform: PlatformStore;
  readonly log: Log;
  readonly clock: Clock;
  readonly prices: ReferencePrices;
}

/** Everything that happens by itself; the returned function ends it. */
export function startBackgroundJobs({
  config,
  opened,
  platform,
  log,
  clock,
  prices,
}: JobParts): () => Promise<void> {
  const { live, sandbox } = opened;
  const stops: (() => Promise<void> | void)[] = [schedulePruning(platform, clock, log)];
  if (sandbox !== undefined) {
    const activity = new SandboxActivity({
      lane: sandbox.lane,
      clock,
      prices,
      hasBots: config.hasBots,
      onDefect: (error) =>
        log.write('error', 'the sandbox stands still', { error: errorFields(error) }),
    });
    activity.start();
    stops.push(() => activity.stop());
    stops.push(
      scheduleGraduation({
        platform,
        volume: attributedVolume(sandbox),
        clock,
        live: live?.lane,
        notify: (message) => log.write('info', message),
      }),
      scheduleDemoClosing({
        platform,
        sandbox: sandbox.lane,
        history: sandbox.history,
        clock,
        notify: (message) => log.write('info', message),
      }),
    );
  }
  return async () => {
    for (const stop of stops) await stop();
  };
}

function schedulePruning(platform: PlatformStore, clock: Clock, log: Log): () => void {
  const timer = setInterval(() => {
    platform
      .prune(clock.wallMs() - KEPT_MS)
      .catch((error: unknown) =>
        log.write('warn', 'old records were not removed', { error: errorFields(error) }),
      );
  }, PRUNE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function attributedVolume({ history }: OpenLane): AttributedVolume {
  return {
    ofKey: async (publicId, firstDay, lastDay) =>
      usdt(await history.keyVolume(publicId, firstDay, lastDay)),
  };
}

const PRUNE_EVERY_MS = 3_600_000;
const KEPT_MS = 2 * 86_400_000;
