/** Date, `T`, time to the hour or finer, and offset. Each part may be in the extended or the basic format. */
const INSTANT =
  /^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)T(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?)?(?:Z|(?<sign>[+-])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)$/i;

/**
 * Parses an ISO-8601 calendar date with time and offset: `2026-11-20T12:00Z`, `20261120T130000,5+0100`. The offset is required. Drops
 * digits finer than a millisecond.
 *
 * @returns milliseconds since the epoch; null for any other text, including a date that does not exist, e.g. February 30
 */
export function readIso8601(text: string): number | null {
  const parts = INSTANT.exec(text)?.groups;
  if (!parts) return null;
  const part = (name: string) => Number(parts[name] ?? 0);
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map(part) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 59 || part('offsetHour') > 23 || part('offsetMinute') > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const milliseconds = Number((parts['fraction'] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (part('offsetHour') * 60 + part('offsetMinute')) * (parts['sign'] === '-' ? -60_000 : 60_000);
  return date.setUTCHours(hour, minute, second, milliseconds) - offset;
}
