// Local time as the browser's field for a date and a time writes it.

const MINUTE_MS = 60_000;

export function localMinute(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** With seconds and milliseconds where the time has them. */
export function localTime(ms: number): string {
  const rest = ms % MINUTE_MS;
  if (rest === 0) return localMinute(ms);
  // A minute is the same part of an hour in every zone of today.
  return `${localMinute(ms)}:${new Date(rest).toISOString().slice('1970-01-01T00:00:'.length, -1)}`;
}
