// Unpacks the Chromium that comes from npm into the temporary folder of this process, wherever that is: the package knows no
// other way to be told. A process of its own, so that no other finds its temporary folder changed.
import { createRequire } from 'node:module';
import path from 'node:path';
import packed, { inflate } from '@sparticuz/chromium';

await packed.executablePath();
const home = path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
await inflate(path.join(home, '..', 'bin', 'al2023.tar.br'));
