import { createHash } from 'node:crypto';
import { z } from 'zod';
import { damaged, readArchive } from './archive.ts';

export const KEYS_FILE = 'secret-key.json';
export const MANIFEST_FILE = 'manifest.json';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Content of the manifest, the last file of a backup. It says what the other files must contain. */
const Manifest = z.object({
  format: z.literal(1),
  /** Version of the service that made the backup. */
  version: z.string(),
  /** Time of the snapshot, by the database's clock. */
  created_at: z.string(),
  /** Names of the migrations that had been applied to the database. */
  migrations: z.array(z.string()),
  keys_sha256: Sha256,
  tables: z.array(
    z.object({
      name: z.string().regex(/^[a-z_][a-z0-9_]*$/),
      columns: z.array(z.string().regex(/^[a-z_][a-z0-9_]*$/i)),
      rows: z.number().int().nonnegative(),
      /** Hash of the table's files, joined in order. */
      sha256: Sha256,
    }),
  ),
  sequences: z.array(z.object({ name: z.string().regex(/^[a-z_][a-z0-9_]*$/), value: z.string(), is_called: z.boolean() })),
});
export type Manifest = z.infer<typeof Manifest>;

/** Returns the name of a table's n-th file. */
export function tableFile(table: string, n: number): string {
  return `tables/${table}/${String(n).padStart(6, '0')}.copy`;
}

/** Returns the table whose rows a file contains, or null for other files. */
export function tableOfFile(name: string): string | null {
  return /^tables\/([^/]+)\/\d+\.copy$/.exec(name)?.[1] ?? null;
}

/**
 * Reads a whole backup and compares every file with the manifest.
 *
 * @throws OperatorError if a file is missing, unexpected or different
 */
export async function verifyBackup(path: string): Promise<{ manifest: Manifest; keys: Buffer }> {
  const sums = new Map<string, ReturnType<typeof createHash>>();
  let keys: Buffer | undefined;
  let text: Buffer | undefined;
  for await (const { name, content } of readArchive(path)) {
    const table = tableOfFile(name);
    if (text !== undefined) throw damaged(path, `unexpected file ${name}`);
    if (table !== null) sums.set(table, (sums.get(table) ?? createHash('sha256')).update(content));
    else if (name === KEYS_FILE) keys = content;
    else if (name === MANIFEST_FILE) text = content;
    else throw damaged(path, `unexpected file ${name}`);
  }
  if (text === undefined || keys === undefined) throw damaged(path, 'it is incomplete');
  const manifest = parseManifest(path, text);
  if (sha256(keys) !== manifest.keys_sha256) throw damaged(path, `${KEYS_FILE} differs from the manifest`);
  const declared = new Map(manifest.tables.map((table) => [table.name, table.sha256]));
  for (const name of new Set([...sums.keys(), ...declared.keys()])) {
    if ((sums.get(name) ?? createHash('sha256')).digest('hex') !== declared.get(name)) {
      throw damaged(path, `table ${name} differs from the manifest`);
    }
  }
  return { manifest, keys };
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function parseManifest(path: string, text: Buffer): Manifest {
  try {
    return Manifest.parse(JSON.parse(text.toString('utf8')));
  } catch (error) {
    throw damaged(path, error instanceof z.ZodError ? 'the manifest does not have the expected format' : error);
  }
}
