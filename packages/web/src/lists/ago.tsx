import { useMember } from '../session/session.tsx';
import { LOCALE } from '../texts/language.ts';
import { onDemand } from '../texts/on-demand.ts';

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
/** Times further from now than this are shown as a date. */
const MAX_DAYS = 30;

const RELATIVE = onDemand(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }));

const formats = new Map<string, { exact: Intl.DateTimeFormat; day: Intl.DateTimeFormat }>();

/**
 * Returns the formats of a time zone. Caches them, because a list formats many times and creating a format takes far longer than using it.
 */
function formatsOf(timeZone: string) {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = {
    exact: new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeStyle: 'long', timeZone }),
    day: new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone }),
  };
  formats.set(timeZone, made);
  return made;
}

/** Shows a time relative to now, or a dash if there is none. The tooltip has the exact time in the account's time zone. */
export function Ago({ at }: { at: string | null | undefined }) {
  const { time_zone: timeZone } = useMember().account;
  if (at === null || at === undefined) return '–';
  const date = new Date(at);
  const { exact, day } = formatsOf(timeZone);
  return (
    <time dateTime={at} title={`${exact.format(date)} (${timeZone})`} style={{ whiteSpace: 'nowrap' }}>
      {relativeTo(Date.now(), date) ?? day.format(date)}
    </time>
  );
}

function relativeTo(now: number, date: Date): string | null {
  const seconds = Math.round((date.getTime() - now) / 1_000);
  if (Math.abs(seconds) > MAX_DAYS * 86_400) return null;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['minute', 60];
  return RELATIVE().format(Math.trunc(seconds / length), unit);
}
