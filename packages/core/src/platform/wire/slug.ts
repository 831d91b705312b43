import { inLatin } from './latin.ts';

/** Returns the slug of a name: lower-case ASCII letters, digits and single hyphens; `''` if the name has no letters or digits. */
export function slugify(name: string): string {
  return inLatin(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
}
