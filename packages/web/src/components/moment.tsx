const SHOWN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A point in time, in the reader's time zone; a dash for none. */
export function Moment({ at, none = '–' }: { at: string | null; none?: string }) {
  if (at === null) return none;
  return (
    <time dateTime={at} title={at}>
      {SHOWN.format(new Date(at))}
    </time>
  );
}
