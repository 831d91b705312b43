import { LOCALE } from '../texts/language.ts';
import { onDemand } from '../texts/on-demand.ts';

const SHOWN = onDemand(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' }));

/** Shows a time in the browser's time zone, or `none` if there is no time. */
export function Moment({ at, none = '–' }: { at: string | null; none?: string }) {
  if (at === null) return none;
  return <time dateTime={at}>{SHOWN().format(new Date(at))}</time>;
}
