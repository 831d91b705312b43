import type { Envelope, Problem } from '../../api/envelope.ts';
import { FIELDS } from './fields.ts';
import { GERMAN, UNITS, WORDS } from './sentences.ts';

interface Template {
  /** Matches a message that the service made from the template. Its groups are the values. */
  made: RegExp;
  german: string;
  /** Number of characters besides the values. */
  fixed: number;
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The templates, those with the most fixed characters first, because a short template also matches messages of longer ones. */
const TEMPLATES: readonly Template[] = Object.entries(GERMAN)
  .filter(([english]) => english.includes('{}'))
  .map(([english, german]) => {
    const parts = english.split('{}');
    return { made: new RegExp(`^${parts.map(escaped).join('(.+?)')}$`, 's'), german, fixed: parts.join('').length };
  })
  .toSorted((a, b) => b.fixed - a.fixed);

/** Returns the German text of a message of the service, or null if the message is not known. */
export function inGerman(message: string): string | null {
  const whole = GERMAN[message];
  if (whole !== undefined) return whole;
  for (const { made, german } of TEMPLATES) {
    const values = made.exec(message)?.slice(1);
    if (values) return german.replaceAll(/\{(\d)\}/g, (_, index: string) => valueInGerman(values[Number(index)] ?? ''));
  }
  return null;
}

function valueInGerman(value: string): string {
  const [, count, unit] = /^(\d+) ([a-z]+?)s?$/.exec(value) ?? [];
  const forms = UNITS[unit ?? ''];
  if (forms) return `${count} ${count === '1' ? forms.one : forms.other}`;
  const [, comparison, bound] = /^(at least|at most|greater than|less than) (.+)$/.exec(value) ?? [];
  if (comparison !== undefined) return `${WORDS[comparison]} ${bound}`;
  return WORDS[value] ?? value;
}

/** Adds the German labels of the fields to an error, and translates a text that the service has in English only. */
export function envelopeInGerman({ error, code, details }: Envelope): Envelope {
  const problems = Array.isArray(details) ? (details as Problem[]) : [];
  const translated = problems.map((problem) => ({
    ...problem,
    message: inGerman(problem.message) ?? problem.message,
    label: germanLabelOf(problem.path),
  }));
  return { error: inGerman(error) ?? error, code, details: translated.length > 0 ? translated : details };
}

/** Returns the German label of an input field, given its path. Returns an empty text for a field that has none. */
export function germanLabelOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
  return FIELDS[name] ?? FIELDS[name.replace(/_(id|ids|at|cents)$/, '')] ?? '';
}
