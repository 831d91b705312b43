/**
 * Compares names of people and companies (docs/rules/payouts.md#alike-names). Names are compared by their words, in Latin letters, without marks, case, signs
 * and words that say nothing about who it is.
 */
import { inLatin } from '../../../platform/wire/latin.ts';

/** Words that are often left out, or that many names share. */
const IGNORED = new Set(
  (
    'mr mrs ms dr prof al el ul ad ar as ash az ibn bin bint ben de del della da di du do dos la le les van von der den of the and und y e ' +
    'ltd limited llc llp plc inc corp corporation company co gmbh ag kg sa sarl spa srl bv nv oy ab as ooo oao pao zao jsc'
  ).split(' '),
);

/** Letters that a word needs so that one typing error, or other vowels, do not make it another word. */
const MIN_LETTERS = 5;
const MIN_CONSONANTS = 3;

/** Returns the words of a name that are compared. */
export function wordsOf(name: string): string[] {
  const words = inLatin(name.normalize('NFKC'))
    .toLowerCase()
    .replaceAll(/['’ʼʻ`´]/g, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !IGNORED.has(word));
  return telling.length > 0 ? telling : words;
}

/** Returns the keys by which names are found that may be alike. Names that are alike share one. */
export function keysOf(name: string): string[] {
  const words = wordsOf(name);
  return [...new Set([...words.filter((word) => Array.from(word).length > 1), words.join('')].map(keyOf))];
}

/** Returns a word with its first letter and its consonants only, each once in a row, if that is enough to tell words apart. */
function keyOf(word: string): string {
  const key = (word.slice(0, 1) + word.slice(1).replaceAll(/[aeiouy]/g, '')).replaceAll(/(.)\1+/gu, '$1');
  return Array.from(key).length >= MIN_CONSONANTS ? key : word;
}

/**
 * True if two names may be those of the same person or company: all words of the shorter one are in the other one, in any order, and at most as initials
 * except for one. A name of a single word is only like another one of a single word. Words that are written as one are the same as apart.
 */
export function areAlike(one: readonly string[], other: readonly string[]): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  if (shorter.length === 0) return false;
  if (isSameWord(shorter.join(''), longer.join(''))) return true;
  if (shorter.length === 1) return false;
  const left = [...longer];
  const take = (isPartner: (word: string) => boolean): boolean => {
    const at = left.findIndex(isPartner);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  // Equal words find each other first, so that no similar word takes their place.
  const similar = shorter.filter((word) => !take((partner) => partner === word));
  const rest = similar.filter((word) => !take((partner) => isSameWord(word, partner)));
  return rest.length < shorter.length && rest.every((word) => take((partner) => isInitial(word, partner)));
}

function isInitial(one: string, other: string): boolean {
  return (one.length === 1 || other.length === 1) && one[0] === other[0];
}

/** True if two words are the same, except for vowels or one typing error. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const key = one[0] === other[0] ? keyOf(one) : null;
  if (key !== null && key === keyOf(other) && key !== one && key !== other) return true;
  return Math.min(one.length, other.length) >= MIN_LETTERS && isOneErrorApart(one, other);
}

/** True if one letter too many, too few, wrong or in the wrong place makes one word the other one. */
function isOneErrorApart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}
