import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** The manuals for users and operators of the service. */
export const MANUALS = globSync('docs/*.md', { cwd: ROOT });

export interface Block {
  /** The language after the opening fence. Only `sh` blocks are run. */
  language: string;
  code: string;
  /** The paragraph directly above the block. */
  introduction: string;
}

export function readText(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Returns the fenced code blocks of a manual, in order. */
export function blocksOf(file: string): Block[] {
  const text = readText(file);
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map((match) => ({
    language: match[1]!,
    code: match[2]!,
    introduction: text.slice(0, match.index).trimEnd().split('\n\n').at(-1)!,
  }));
}

/** Returns the commands that a reader would copy and paste. */
export function commandsOf(file: string): string[] {
  return blocksOf(file)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code);
}

/** Returns the cells of all table rows under a heading, without the header rows. */
export function rowsOf(file: string, heading: string): string[][] {
  const [, section] = readText(file).split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`${file} has no section "${heading}"`);
  const lines = section.split(/\n##? /)[0]!.split('\n');
  return lines
    .filter((line, index) => line.startsWith('|') && !line.startsWith('|---') && !lines[index + 1]?.startsWith('|---'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Returns the names in backticks in a text. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!);
}
