import { inLanguage } from '../../platform/mail/in-language.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';

/** The paragraphs that a version of the terms has and a former one lacks, and the other way round. */
export interface ChangedParagraphs {
  added: string[];
  removed: string[];
}

/** Maximum number of changed paragraphs that an email quotes, and of the characters of each. */
const QUOTED = 3;
const QUOTED_CHARACTERS = 300;

/** Compares two versions of the terms by their lines. A line that has only moved has not changed. */
export function changedParagraphs(former: string, current: string): ChangedParagraphs {
  const [before, after] = [linesOf(former), linesOf(current)];
  return { added: missingIn(before, after), removed: missingIn(after, before) };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function missingIn(known: readonly string[], lines: readonly string[]): string[] {
  const those = new Set(known);
  return lines.filter((line) => !those.has(line));
}

/** Quotes the changed paragraphs for an email: the first new ones, or else the first removed ones. Empty if only the order has changed. */
export function changesInWords(language: Language, { added, removed }: ChangedParagraphs): string {
  const say = inLanguage(language);
  const t = PORTAL_MAILS.terms;
  const [text, all] = added.length > 0 ? [t.added, added] : [t.removed, removed];
  if (all.length === 0) return '';
  const quoted = all.slice(0, QUOTED).map((paragraph) => say(t.quoted, { paragraph: shortened(paragraph) }));
  const more = added.length + removed.length - quoted.length;
  return [say(text, { paragraphs: quoted.join(' ') }), ...(more > 0 ? [say(t.more, { count: more })] : [])].join(' ');
}

function shortened(paragraph: string): string {
  const characters = Array.from(paragraph);
  return characters.length <= QUOTED_CHARACTERS ? paragraph : `${characters.slice(0, QUOTED_CHARACTERS).join('')}…`;
}
