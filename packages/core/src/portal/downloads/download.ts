import { asParty } from '@affiliate/postgres';
import { sql } from 'kysely';
import type { Services } from '../../platform/call/context.ts';
import { plusMilliseconds, toInstant } from '../../platform/time/instant.ts';

const PURPOSE = 'download of';
const VALID_MS = 600_000;
/** Number of bytes that are read at a time. A client that reads slowly holds no more than this in memory. */
const PART_BYTES = 64 * 1024;

/** A file of an account. */
interface FileName {
  accountId: string;
  id: string;
}

/**
 * Returns the address of a file's content for whoever may read the file now. It needs no credentials, so that a browser can download the file by itself, and
 * is valid for ten minutes. The path is sealed, so that nobody can make an address of another file.
 */
export function downloadUrl({ publicUrl, secrets, clock }: Services, { accountId, id }: FileName): string {
  const until = plusMilliseconds(toInstant(clock.now()), VALID_MS);
  return `${publicUrl}/files/${secrets.seal(`${PURPOSE} ${accountId} ${id} ${until}`)}`;
}

/** A file that can be read from any position. */
interface OpenFile {
  accountId: string;
  name: string;
  size: number;
  /** Reads the bytes from `start` to `end`, both included, a part at a time. */
  read(start: number, end: number): AsyncIterable<Buffer>;
}

/** Opens the file of a download address. Returns null if the address is not valid, or no longer, and if the file was deleted. */
export async function openDownload(services: Services, sealed: string): Promise<OpenFile | null> {
  const named = nameIn(services, sealed);
  if (named === null) return null;
  const { accountId, id } = named;
  const { kysely: db } = services.database;
  const asParties = <T>(work: () => Promise<T>) => asParty({ lane: 'read', id: accountId }, work);
  const found = await asParties(() =>
    db
      .selectFrom('asset')
      .select(['name', 'size_bytes'])
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst(),
  );
  if (!found) return null;
  return {
    accountId,
    name: found.name,
    size: found.size_bytes,
    async *read(start, end) {
      for (let at = start; at <= end; at += PART_BYTES) {
        const length = Math.min(PART_BYTES, end + 1 - at);
        const { rows } = await asParties(() =>
          sql<{ part: Buffer }>`
            select substring(content from ${at + 1}::integer for ${length}::integer) as part
            from asset where account_id = ${accountId} and id = ${id}`.execute(db),
        );
        if (!rows[0]) throw new Error('The file was deleted while it was read.');
        yield rows[0].part;
      }
    },
  };
}

function nameIn({ secrets, clock }: Services, sealed: string): FileName | null {
  let opened: string;
  try {
    opened = secrets.open(sealed);
  } catch {
    return null;
  }
  const [, accountId, id, until] = /^download of (\S+) (\S+) (\S+)$/.exec(opened) ?? [];
  return accountId !== undefined && id !== undefined && until! > toInstant(clock.now()) ? { accountId, id } : null;
}
