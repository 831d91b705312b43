import { asLongRead, asParty } from '@affiliate/postgres';
import { renderPayoutExport } from '../../payouts/exports/payout-export.queries.ts';
import type { Services } from '../../platform/call/context.ts';
import { PART_BYTES, readPart } from '../../platform/files/file-parts.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { ownRowsOf } from '../access/affiliate-context.ts';
import { type FileName, fileOf } from '../downloads/download-url.ts';
import { renderStatement } from '../payouts/payout.ts';

/** A file that can be read from any position. */
interface OpenFile {
  accountId: string;
  name: string;
  size: number;
  /** Reads the bytes from `start` to `end`, both included. A stored file comes a part at a time, a file that was made for the caller as a whole. */
  read(start: number, end: number): AsyncIterable<Buffer>;
}

/** Opens the file of a download address. Returns null if the address is not valid, or no longer, and if the file was deleted. */
export async function openDownload(services: Services, sealed: string): Promise<OpenFile | null> {
  const file = fileOf(services, sealed);
  if (file === null) return null;
  const asParties = <T>(work: () => Promise<T>) => asParty({ lane: 'read', id: file.accountId }, work);
  if (file.kind === 'asset') return openAsset(services, file, asParties);
  const { name, content } = await asParties(() => asLongRead(() => render(services, file)));
  return {
    accountId: file.accountId,
    name,
    size: content.length,
    async *read(start, end) {
      yield content.subarray(start, end + 1);
    },
  };
}

type FileOfKind<Kind extends FileName['kind']> = Extract<FileName, { kind: Kind }>;

async function openAsset(
  { database }: Services,
  { accountId, id }: FileOfKind<'asset'>,
  asParties: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<OpenFile | null> {
  const { kysely: db } = database;
  const found = await asParties(() =>
    db
      .selectFrom('asset')
      .select(['name', 'size_bytes', 'file_id'])
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
      for (let position = Math.floor(start / PART_BYTES); position * PART_BYTES <= end; position += 1) {
        const content = await asParties(() => readPart(db, { accountId, fileId: found.file_id, position }));
        const before = position * PART_BYTES;
        yield content.subarray(Math.max(0, start - before), end + 1 - before);
      }
    },
  };
}

/** Makes a file that is not stored. The same records yield the same bytes, so that a download can be continued. */
async function render(
  services: Services,
  file: FileOfKind<'statement' | 'payout_export'>,
): Promise<{ name: string; content: Buffer }> {
  const { database, clock } = services;
  const { accountId, id } = file;
  const db = database.kysely;
  if (file.kind === 'payout_export') return renderPayoutExport({ db, accountId, services }, { id, format: file.format });
  const mine = ownRowsOf(db, { id: file.affiliateId, account_id: accountId });
  return renderStatement(
    { mine, now: toInstant(clock.now()), secrets: services.secrets, payoutMethods: services.payoutMethods },
    file,
  );
}
