import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Directory of the manuals: beside the code in a production build, and otherwise in the repository. */
const DIRECTORY = [new URL('manuals/', import.meta.url), new URL('../../../../../docs/', import.meta.url)].find((each) =>
  existsSync(each),
)!;

/** Manuals for people who change the service. They are not served. */
const INTERNAL = new Set(['first-change', 'style', 'walks']);

/** A manual. Manuals are public, because they contain no account data. */
export interface Manual {
  name: string;
  title: string;
  /** First paragraph. */
  summary: string;
  text: string;
}

/** Reads the manuals, the guides for beginners first. */
export function readManuals(): Manual[] {
  const names = readdirSync(fileURLToPath(DIRECTORY), { recursive: true, encoding: 'utf8' })
    .flatMap((file) => /^(?!decisions\/|rules\/)((?:\w+\/)?[\w-]+)\.md$/.exec(file.replaceAll('\\', '/'))?.[1] ?? [])
    .filter((name) => !INTERNAL.has(name));
  const first = ['quick-start', 'api', 'receive-webhooks', 'mirroring', 'clients'].filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name)).toSorted()].map((name) => {
    const text = readFileSync(new URL(`${name}.md`, DIRECTORY), 'utf8');
    const [heading = name, summary = ''] = text.split('\n\n');
    return { name, title: heading.replace(/^# /, ''), summary: plain(summary), text };
  });
}

/** Returns a paragraph on one line, without links. */
function plain(paragraph: string): string {
  const text = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ');
  return /^[|`#-]/.test(text) ? '' : text;
}
