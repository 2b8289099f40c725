// The thread that draws cards. A drawing that fails, or brings the renderer down, does so here and not where orders are.
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { CARD_FONT, CARD_WIDTH } from './card-svg.ts';

export interface CardRequest {
  readonly number: number;
  readonly svg: string;
}

export interface CardReply {
  readonly number: number;
  /** Null if it could not be drawn. */
  readonly png: Uint8Array | null;
}

/** Orders go first where cores are few. */
const NICENESS = 10;

if (parentPort !== null) {
  if (process.platform === 'linux') setPriority(NICENESS);
  serve(parentPort, await openRenderer());
}

type Render = (svg: string) => Uint8Array;

async function openRenderer(): Promise<Render> {
  await initWasm(readFileSync(new URL(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));
  const fontBuffers = [
    import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  ].map((address) => readFileSync(new URL(address)));
  return (svg) => {
    const drawing = new Resvg(svg, {
      fitTo: { mode: 'width', value: CARD_WIDTH },
      font: { fontBuffers, defaultFontFamily: CARD_FONT },
    });
    const image = drawing.render();
    const png = image.asPng();
    image.free();
    drawing.free();
    return png;
  };
}

function serve(port: NonNullable<typeof parentPort>, render: Render): void {
  port.on('message', ({ number, svg }: CardRequest) => {
    let png: Uint8Array | null = null;
    try {
      png = render(svg);
    } catch {
      // Told by what is not there.
    }
    port.postMessage({ number, png } satisfies CardReply);
  });
}
