import { createHash, randomUUID } from 'node:crypto';
import { asParty, LongWork } from '@affiliate/postgres';
import { sql } from 'kysely';
import type { Services, Upload, WriteCtx } from '../call/context.ts';
import type { MustStop } from '../db/purge.ts';
import { DomainError, rateLimited } from '../errors/errors.ts';
import { Failures } from '../sweeps/failures.ts';
import type { Reason } from '../texts/reason.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { plusMilliseconds, toInstant } from '../time/instant.ts';
import { PART_BYTES, deleteParts, insertPart, partsOf } from './file-parts.ts';

/** Number of bytes at the beginning of a file in which its format names itself. */
const HEAD_BYTES = 256 * 1024;
/** Number of bytes at the beginning of a text in which an SVG image names itself. */
const SVG_BYTES = 16 * 1024;

/** Type of the bytes at the beginning of a file. `undefined` if they name no format: then the file may be a text. */
interface Head {
  format: string | undefined;
  isSvg: boolean;
}

/** Detects the content type of a file from its bytes, whatever its name, while they arrive. */
class FileTypeCheck {
  readonly #long: LongWork;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #isText = true;
  #beginning: Buffer[] = [];
  #size = 0;
  #head: Head | null = null;

  /** @param party party for which the file is checked. Default: the party of the running work */
  constructor(party?: string) {
    this.#long = new LongWork(party);
  }

  /** Checks the next part of the file. */
  async add(part: Uint8Array): Promise<void> {
    await this.#long.letOthersIn();
    if (this.#isText) this.#isText = isText(() => this.#decoder.decode(part, { stream: true }));
    if (this.#head !== null) return;
    this.#beginning.push(Buffer.from(part));
    this.#size += part.length;
    if (this.#size >= HEAD_BYTES) await this.#detect();
  }

  /** True as soon as it is certain that the type is unknown, whatever follows. */
  get isUnknown(): boolean {
    return this.#head !== null && this.#head.format === undefined && !this.#isText;
  }

  /** Returns the type after the last part: `text/plain` for readable text, and null if the type is unknown. */
  async type(): Promise<string | null> {
    const { format, isSvg } = this.#head ?? (await this.#detect());
    const isReadable = this.#isText && isText(() => this.#decoder.decode());
    if (isReadable && isSvg && (format === undefined || format === 'application/xml')) return 'image/svg+xml';
    return format ?? (isReadable ? 'text/plain' : null);
  }

  async #detect(): Promise<Head> {
    const { fileTypeFromBuffer } = await import('file-type');
    const bytes = Buffer.concat(this.#beginning);
    this.#beginning = [];
    this.#head = { format: (await fileTypeFromBuffer(bytes))?.mime, isSvg: isSvg(bytes) };
    return this.#head;
  }
}

/** Detects the content type of a file from its bytes. Returns null if it is unknown. */
export async function fileTypeOf(bytes: Uint8Array): Promise<string | null> {
  const check = new FileTypeCheck();
  for (let at = 0; at < bytes.length; at += PART_BYTES) await check.add(bytes.subarray(at, at + PART_BYTES));
  return check.type();
}

/** True for UTF-8 without control characters other than white space. */
function isText(decode: () => string): boolean {
  try {
    return !/[^\P{Cc}\t\n\r\f]/u.test(decode());
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** True if a text is an SVG image. */
function isSvg(bytes: Uint8Array): boolean {
  return /<svg[\s>]/i.test(new TextDecoder().decode(bytes.subarray(0, SVG_BYTES)).slice(0, 4_096));
}

/** Maximum number of files of an account that arrive at the same time (docs/rules/platform.md#uploads). */
const MAX_AT_ONCE = 4;
const RETRY_SECONDS = 1;
/** Longer than a request may take. Uploads that began earlier have been given up. */
const ARRIVES_MS = 60_000;
/** Time after which an upload that belongs to no record is deleted. */
const KEPT_MS = 3_600_000;

/**
 * Stores a file part by part while it arrives, without holding a connection of the database or more than a part of the file in memory. The file belongs to
 * no record until a mutation takes it (`takeUpload`). The caller discards it afterwards (`discardUpload`).
 *
 * @throws PAYLOAD_TOO_LARGE; RATE_LIMITED if too many files of the account arrive at the same time; the errors of `body`
 */
export async function receiveUpload(
  services: Services,
  accountId: string,
  body: AsyncIterable<Uint8Array>,
  { maxBytes, tooBig }: { maxBytes: number; tooBig: Reason },
): Promise<Upload> {
  const { kysely: db } = services.database;
  const asAccount = <T>(work: () => Promise<T>) => asParty({ lane: 'write', id: accountId }, work);
  const fileId = await asAccount(() => beginUpload(services, accountId));
  try {
    const hash = createHash('sha256');
    const check = new FileTypeCheck(accountId);
    let size = 0;
    let position = 0;
    for await (const part of partsOf(body)) {
      size += part.length;
      if (size > maxBytes) throw new DomainError('PAYLOAD_TOO_LARGE', tooBig);
      hash.update(part);
      await check.add(part);
      if (check.isUnknown) break;
      await asAccount(() => insertPart(db, { accountId, fileId, position }, part));
      position += 1;
    }
    return { fileId, size, type: await check.type(), sha256: hash.digest('hex') };
  } catch (error) {
    await discardUpload(services, accountId, fileId);
    throw error;
  }
}

async function beginUpload({ database, clock }: Services, accountId: string): Promise<string> {
  const fileId = randomUUID();
  const now = toInstant(clock.now());
  const { numAffectedRows } = await sql`
    insert into upload (file_id, account_id, created_at)
    select ${fileId}::uuid, ${accountId}, ${now}::timestamptz
    where (select count(*) from upload where account_id = ${accountId} and created_at > ${plusMilliseconds(now, -ARRIVES_MS)}::timestamptz) < ${MAX_AT_ONCE}`.execute(
    database.kysely,
  );
  if (Number(numAffectedRows) === 0) throw rateLimited(RETRY_SECONDS);
  return fileId;
}

/**
 * Returns the file in the body of the request. From now on, it belongs to the caller's record.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE for a request without a file, e.g. over /trpc
 */
export async function takeUpload({ db, accountId, upload }: WriteCtx): Promise<Upload> {
  if (!upload) throw new DomainError('UNSUPPORTED_MEDIA_TYPE', PLATFORM_REASONS.no_bytes_of_file);
  await db.deleteFrom('upload').where('account_id', '=', accountId).where('file_id', '=', upload.fileId).execute();
  return upload;
}

/** Deletes an uploaded file, unless a record has taken it. */
export async function discardUpload({ database: { kysely: db } }: Services, accountId: string, fileId: string): Promise<void> {
  await asParty({ lane: 'write', id: accountId }, async () => {
    const left = await db.selectFrom('upload').select('file_id').where('file_id', '=', fileId).executeTakeFirst();
    if (!left) return;
    await deleteParts(db, fileId);
    await db.deleteFrom('upload').where('file_id', '=', fileId).execute();
  });
}

/**
 * Deletes the files of uploads whose process died. Returns their number.
 *
 * @throws the first failure, after all other uploads have been tried
 */
export async function purgeUploads(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const before = plusMilliseconds(toInstant(services.clock.now()), -KEPT_MS);
  const left = await services.database.kysely
    .selectFrom('upload')
    .select(['file_id', 'account_id'])
    .where('created_at', '<=', before)
    .execute();
  const failures = new Failures(services, 'upload not purged; will be retried');
  let purged = 0;
  for (const { file_id, account_id } of left) {
    if (mustStop()) break;
    await failures.attempt({ account_id, file_id }, async () => {
      await discardUpload(services, account_id, file_id);
      purged += 1;
    });
  }
  failures.throwFirst();
  return purged;
}
