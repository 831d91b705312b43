import { type Manual, invalid, readManuals, untranslated } from '@affiliate/core';
import { MAX_REPLY_BYTES } from './fit-reply.ts';
import type { PublishedTool } from './published-tool.ts';

export const READ_MANUAL = 'read_manual';

/** The tool with which an assistant reads the manuals: without it, it would guess how a shop reports sales, or verifies a webhook. */
export const READ_MANUAL_TOOL: PublishedTool = {
  name: READ_MANUAL,
  title: 'Read a manual',
  description:
    'How the service works: tracking, API, webhooks, imports, rules. q finds sections; name, with the section of a long manual, reads one.',
  inputSchema: {
    type: 'object',
    properties: { q: { type: 'string' }, name: { type: 'string' }, section: { type: 'string' } },
    required: [],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

interface Section {
  manual: string;
  /** Heading of the section; empty for the beginning of the manual. */
  section: string;
  text: string;
}

const MOST_FOUND = 10;
/** Words of a question that count. Each is looked for in all manuals. */
const MOST_WORDS = 30;
/** Room for a section: what MAX_REPLY_BYTES leaves for the names of the others. */
const MOST_CHARACTERS = MAX_REPLY_BYTES - 2_000;

let manuals: readonly Manual[] | undefined;

/** Returns the manuals, which are read from their files once. */
export function theManuals(): readonly Manual[] {
  return (manuals ??= readManuals());
}

/** Answers a call: the sections that a question finds, a section, a manual, or the names of all. Throws VALIDATION_ERROR for an unknown name. */
export function manualReply(given: Readonly<Record<string, unknown>>): { result: object } {
  const { q, name, section } = Object.fromEntries(
    ['q', 'name', 'section'].map((argument) => [argument, textOf(given, argument)]),
  ) as Partial<Record<'q' | 'name' | 'section', string>>;
  if (name === undefined) return { result: q === undefined ? allManuals() : find(q) };
  const manual = theManuals().find((each) => each.name === name.replace(/\.md$/, ''));
  if (!manual)
    throw invalid(
      'name',
      untranslated(
        `Must be one of: ${theManuals()
          .map((each) => each.name)
          .join(', ')}.`,
      ),
    );
  return { result: section === undefined ? wholeOrBeginning(manual) : sectionOf(manual, section) };
}

function textOf(given: Readonly<Record<string, unknown>>, argument: string): string | undefined {
  const value = given[argument] ?? undefined;
  if (value !== undefined && typeof value !== 'string')
    throw invalid(argument, untranslated('Must be a string.'), 'invalid_type');
  return value;
}

function allManuals() {
  return { columns: ['name', 'title'], rows: theManuals().map(({ name, title }) => [name, title]) };
}

function sectionsOf({ name, text }: Manual): Section[] {
  const [beginning = '', ...rest] = text.split(/^## /m);
  const named = rest.map((part) => ({ manual: name, section: part.slice(0, part.indexOf('\n')), text: `## ${part}` }));
  return [{ manual: name, section: '', text: beginning }, ...named];
}

function wholeOrBeginning(manual: Manual) {
  if (Buffer.byteLength(manual.text) <= MOST_CHARACTERS) return { text: manual.text };
  const [beginning, ...others] = sectionsOf(manual);
  return { text: cut(beginning!.text), sections: others.map(({ section }) => section) };
}

function sectionOf(manual: Manual, wanted: string) {
  const sections = sectionsOf(manual);
  const found = sections.find(({ section }) => section.toLowerCase() === wanted.toLowerCase());
  if (!found) throw invalid('section', untranslated(`Must be one of: ${sections.map(({ section }) => section).join(', ')}.`));
  return { text: cut(found.text) };
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
}

/** Returns the sections with most of the words, those that have them more often first. */
function find(q: string) {
  const words = [...new Set(q.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu))].slice(0, MOST_WORDS);
  const scored = theManuals()
    .flatMap(sectionsOf)
    .map((each) => {
      const text = each.text.toLowerCase();
      const heading = `${each.manual} ${each.section}`.toLowerCase();
      const counts = words.map((word) => text.split(word).length - 1);
      const distinct = counts.filter((count) => count > 0).length + words.filter((word) => heading.includes(word)).length;
      return { ...each, distinct, total: counts.reduce((sum, count) => sum + Math.min(count, 5), 0) };
    })
    .filter(({ distinct }) => distinct > 0);
  const best = scored.toSorted((a, b) => b.distinct - a.distinct || b.total - a.total).slice(0, MOST_FOUND);
  return { columns: ['name', 'section'], rows: best.map(({ manual, section }) => [manual, section]) };
}
