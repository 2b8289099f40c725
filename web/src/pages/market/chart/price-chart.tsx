// Draws the bars: the library is loaded with this file, and with this page only.
import { dateFormat } from '@sibyl/contract/names';
import {
  type AutoscaleInfo,
  CandlestickSeries,
  CrosshairMode,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type UTCTimestamp,
} from 'lightweight-charts';
import { memo, useEffect, useRef } from 'react';
import { cents } from '../../../format/amounts.ts';
import { type Range, rangeValue, valueAt } from '../../../format/range.ts';
import { dateTime } from '../../../format/times.ts';
import type { Locale } from '../../../texts/texts.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { marketTexts } from '../texts.ts';
import { readColours } from './colours.ts';
import type { Bar, ChartKind, Span } from './spans.ts';

export interface Line {
  readonly id: string;
  readonly name: string;
  readonly colour: number;
  readonly isChosen: boolean;
  readonly bars: readonly Bar[];
}

interface Props {
  readonly lines: readonly Line[];
  readonly kind: ChartKind;
  readonly span: Span;
  /** For a market about a number the axis shows the number. */
  readonly range: Range | null;
}

export const PriceChart = memo(function PriceChart({ lines, kind, span, range }: Props) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const frame = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  // What the chart is made of; new bars alone change nothing about it.
  const made = lines.map(({ id, colour, isChosen }) => `${id} ${colour} ${isChosen}`).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: `made` stands for the lines, and span for another window
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const draw = (): void => {
      drawing.current?.remove();
      drawing.current = new Drawing(element, { lines, kind, locale, range });
      drawing.current.show(lines);
    };
    draw();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('sibyl:theme', draw);
    dark.addEventListener('change', draw);
    return () => {
      removeEventListener('sibyl:theme', draw);
      dark.removeEventListener('change', draw);
      drawing.current?.remove();
      drawing.current = null;
    };
  }, [made, kind, span, locale, range?.lower, range?.upper]);

  useEffect(() => drawing.current?.show(lines), [lines]);

  return (
    <div
      ref={frame}
      role="img"
      aria-label={t('chartSays', { what: lines.map((line) => inWords(locale, line)).join('; ') })}
      className="relative h-64 w-full px-1 sm:h-[24.75rem]"
    />
  );
});

/** For those who cannot see the drawing. */
function inWords(locale: Locale, { name, bars }: Line): string {
  const [first] = bars;
  const last = bars.at(-1);
  if (first === undefined || last === undefined) return name;
  const price = (value: number): string => `${cents(locale, String(value))}¢`;
  return `${name} ${price(first.open)} → ${price(last.close)}`;
}

interface Plan {
  readonly lines: readonly Line[];
  readonly kind: ChartKind;
  readonly locale: Locale;
  readonly range: Range | null;
}

type Series = ISeriesApi<'Line'> | ISeriesApi<'Candlestick'>;

/** One chart of the library, made for a kind and a theme. */
class Drawing {
  readonly #chart: IChartApi;
  readonly #series = new Map<string, Series>();
  #firstMs = -1;

  constructor(element: HTMLElement, { lines, kind, locale, range }: Plan) {
    const colours = readColours(element);
    const priceOf = (value: number): string => {
      const price = Math.min(1, Math.max(0, value)).toFixed(6);
      return range === null
        ? `${cents(locale, price)}¢`
        : rangeValue(locale, range, valueAt(range, price));
    };
    this.#chart = createChart(element, {
      autoSize: true,
      layout: {
        background: { color: 'transparent' },
        textColor: colours.muted,
        fontFamily: getComputedStyle(element).fontFamily,
        attributionLogo: false,
      },
      grid: { vertLines: { visible: false }, horzLines: { color: colours.line } },
      rightPriceScale: {
        borderVisible: false,
        scaleMargins: { top: 0.1, bottom: 0.1 },
        entireTextOnly: true,
      },
      timeScale: {
        borderVisible: false,
        // With both ends fixed the first and the last date keep to the frame instead of being cut off by it.
        fixLeftEdge: true,
        fixRightEdge: true,
        timeVisible: true,
        secondsVisible: false,
        tickMarkFormatter: (time: number, type: number) => tickOf(locale, time, type),
      },
      crosshair: { mode: CrosshairMode.Magnet },
      localization: {
        locale,
        priceFormatter: priceOf,
        timeFormatter: (time: number) => dateTime(locale, time * 1_000),
      },
      handleScale: { mouseWheel: false },
      handleScroll: { mouseWheel: false, vertTouchDrag: false },
    });
    for (const line of lines) {
      const colour = colours.outcomes[line.colour - 1] ?? colours.accent;
      const price = { type: 'custom', formatter: priceOf, minMove: 0.001 } as const;
      const series =
        kind === 'line'
          ? this.#chart.addSeries(LineSeries, {
              color: colour,
              lineWidth: line.isChosen ? 2 : 1,
              priceFormat: price,
              priceLineVisible: false,
              autoscaleInfoProvider: widened,
            })
          : this.#chart.addSeries(CandlestickSeries, {
              upColor: colours.gain,
              downColor: colours.loss,
              borderVisible: false,
              wickUpColor: colours.gain,
              wickDownColor: colours.loss,
              priceFormat: price,
              priceLineVisible: false,
              autoscaleInfoProvider: widened,
            });
      this.#series.set(line.id, series);
    }
  }

  show(lines: readonly Line[]): void {
    for (const { id, bars } of lines) this.#set(id, bars);
    // What somebody has moved to stays, until the chart begins elsewhere.
    const firstMs = lines[0]?.bars[0]?.startMs ?? -1;
    if (firstMs === this.#firstMs) return;
    this.#firstMs = firstMs;
    this.#chart.timeScale().fitContent();
  }

  remove(): void {
    this.#chart.remove();
  }

  #set(id: string, bars: readonly Bar[]): void {
    const series = this.#series.get(id);
    if (series === undefined) return;
    if (series.seriesType() === 'Line') {
      series.setData(bars.map(({ startMs, close }) => ({ time: seconds(startMs), value: close })));
    } else {
      series.setData(bars.map(({ startMs, ...prices }) => ({ time: seconds(startMs), ...prices })));
    }
  }
}

/** A price that hardly moved is drawn as such, and not as a storm. */
const SPAN_LEAST = 0.04;

function widened(original: () => AutoscaleInfo | null): AutoscaleInfo | null {
  const info = original();
  if (info === null || info.priceRange === null) return info;
  const { minValue, maxValue } = info.priceRange;
  const missing = SPAN_LEAST - (maxValue - minValue);
  if (missing <= 0) return info;
  const priceRange = { minValue: minValue - missing / 2, maxValue: maxValue + missing / 2 };
  return { ...info, priceRange };
}

function seconds(ms: number): UTCTimestamp {
  return (ms / 1_000) as UTCTimestamp;
}

/** Marks below the chart in the reader's zone: dates where a day begins, else times. */
function tickOf(locale: Locale, time: number, type: number): string {
  const isDate = type <= 2;
  const format = isDate
    ? ({ month: 'short', day: 'numeric' } as const)
    : ({ hour: '2-digit', minute: '2-digit' } as const);
  return dateFormat(locale, format).format(time * 1_000);
}
