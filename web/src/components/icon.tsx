// The few pictures there are, drawn with lines in the colour of the text around them.
const shapes = {
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm5 12 4 4',
  star: 'm12 4 2.5 5 5.5.8-4 3.9 1 5.5-5-2.6-5 2.6 1-5.5-4-3.9 5.5-.8L12 4Z',
  share: 'M12 15V4m0 0L8 8m4-4 4 4M5 13v6h14v-6',
  close: 'M6 6l12 12M18 6 6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  list: 'M4 6h16M4 12h16M4 18h16',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm0-5v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  check: 'm5 12 5 5 9-10',
  warn: 'M12 4 3 19h18L12 4Zm0 6v4m0 3v.5',
  down: 'm6 9 6 6 6-6',
  user: 'M12 5a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM4 20c1-4 4-6 8-6s7 2 8 6',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  chart: 'M4 19V5m0 14h16M8 15l4-5 3 3 5-7',
  code: 'm8 8-4 4 4 4m8-8 4 4-4 4M14 5l-4 14',
  wallet: 'M4 7h15v12H4zM4 7l11-3v3m1 6h3',
  globe: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16Zm-8 8h16M12 4c3 3 3 13 0 16-3-3-3-13 0-16Z',
  home: 'm4 11 8-7 8 7v9h-5v-6H9v6H4z',
} as const;

export type IconName = keyof typeof shapes;

export function Icon({
  name,
  isFilled = false,
}: {
  readonly name: IconName;
  readonly isFilled?: boolean;
}) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className="size-4 shrink-0"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
