import { readFile } from 'node:fs/promises';

/** Pattern of a version: `0.2.0` or `v0.2.0`, with an optional pre-release such as `-rc.1`. */
const VERSION = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?$/;
const LONGEST = 1_000;

/**
 * Reads the newest version from a file.
 *
 * @throws Error if the file cannot be read or does not contain exactly one version
 */
export async function readNewestVersion(file: string): Promise<string> {
  const text = (await readFile(file, 'utf8')).slice(0, LONGEST).trim();
  if (!VERSION.test(text)) throw new Error(`${file} must contain exactly one version, e.g. 0.2.0`);
  return text.replace(/^v/, '');
}

/**
 * True if `version` is newer than `other`. A pre-release is older than its release. Two pre-releases of the same release are compared
 * alphabetically, with numbers in numeric order.
 */
export function isNewer(version: string, other: string): boolean {
  const [numbers, preRelease] = parts(version);
  const [otherNumbers, otherPreRelease] = parts(other);
  const differing = numbers.findIndex((number, i) => number !== otherNumbers[i]);
  if (differing !== -1) return numbers[differing]! > otherNumbers[differing]!;
  if (preRelease === undefined || otherPreRelease === undefined) return preRelease === undefined && otherPreRelease !== undefined;
  return preRelease.localeCompare(otherPreRelease, 'en', { numeric: true }) > 0;
}

function parts(version: string): [numbers: number[], preRelease: string | undefined] {
  const [, major, minor, patch, preRelease] = VERSION.exec(version)!;
  return [[major, minor, patch].map(Number), preRelease];
}

/**
 * Returns the version in `file` if it is newer than `running`. Otherwise returns null. Does not throw if the file is missing or unreadable, because
 * `affiliate doctor` reports such a file.
 */
export async function newerVersion(file: string | undefined, running: string): Promise<string | null> {
  if (file === undefined) return null;
  const newest = await readNewestVersion(file).catch(() => null);
  return newest !== null && isNewer(newest, running) ? newest : null;
}
