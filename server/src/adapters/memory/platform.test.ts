import { describePlatform } from '../../../test/ports/platform-suite.ts';
import { MemoryPlatformStore } from './platform.ts';

describePlatform('memory', async () => ({
  open: async () => new MemoryPlatformStore(),
  isDurable: false,
  dispose: async () => {},
}));
