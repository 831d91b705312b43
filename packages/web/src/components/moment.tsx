import { shownTimeZone } from '../api/shown-zone.ts';
import { LOCALE } from '../texts/language.ts';

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** Returns the format of a time zone. Kept, because creating a format takes far longer than using it. */
function formatIn(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(timeZone) ?? new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  formats.set(timeZone, known);
  return known;
}

/** Shows a time in the account's time zone, which the tooltip names, or `none` if there is no time. */
export function Moment({ at, none = '–' }: { at: string | null; none?: string }) {
  if (at === null) return none;
  const timeZone = shownTimeZone();
  return (
    <time dateTime={at} title={timeZone}>
      {formatIn(timeZone).format(new Date(at))}
    </time>
  );
}
