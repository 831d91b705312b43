/**
 * Many records in one call (docs/rules/platform.md#bulk-calls). Each item has a transaction of its own, in the order of the items, so that an item
 * that fails changes nothing for the others.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Ctx, WriteCtx } from '../call/context.ts';
import { validationError, zodDetails } from '../errors/errors.ts';
import { onceInTransaction } from '../idempotency/idempotency.ts';
import { validateIdempotencyKey } from '../idempotency/key-rules.ts';
import { toEnvelope } from './error-envelope.ts';

const MAX_ITEMS = 100;

const BulkError = z
  .object({
    error: z.string().describe('Human-readable message. Its wording may change.').meta({ example: 'email: Taken.' }),
    code: z
      .string()
      .describe('Stable code for programs, as in the errors of single calls.')
      .meta({ example: 'VALIDATION_ERROR' }),
    details: z.unknown().optional().describe('As in the errors of single calls.'),
  })
  .meta({ id: 'BulkError', description: 'Error of an item of a bulk call.' });

const RESULTS = ['created', 'updated', 'unchanged', 'failed'] as const;

/** An item that does not fit its schema. Only this item fails. */
class RefusedItem {
  readonly error: z.ZodError;

  constructor(issues: z.core.$ZodIssue[]) {
    this.error = new z.ZodError(issues);
  }
}

/** Returns the input of a bulk call. An item that does not fit its schema becomes a `RefusedItem`. */
export function bulkInput<Item extends z.ZodType>(item: Item) {
  // The contract asks for the value of an item that is missing, and gets none.
  const each = item.catch(
    ((refused?: { error: { issues: z.core.$ZodIssue[] } }) => refused && new RefusedItem(refused.error.issues)) as never,
  );
  return z.strictObject({
    items: z.array(each).min(1).max(MAX_ITEMS).describe(`Up to ${MAX_ITEMS} records, as for a single call.`),
  });
}

/** Returns the output of a bulk call. `id` is the name of its schema. */
export function bulkOutput<Of extends z.ZodType>(record: Of, id: string) {
  return z
    .object({
      data: z
        .array(
          z.object({
            index: z.int().min(0).describe('Position of the item in the request, starting at 0.').meta({ example: 0 }),
            result: z
              .enum(RESULTS)
              .describe(
                '`updated`: the record exists and has the given fields now. `unchanged`: the record exists, with the same content. `failed`: nothing was changed; see `error`.',
              ),
            record: record.nullable().describe('The record, as in the response of a single call; `null` if the item failed.'),
            error: BulkError.nullable().describe('`null` unless the item failed.'),
          }),
        )
        .describe('A result for each item, in the order of the items.'),
      succeeded_count: z.int().describe('Number of items that did not fail.').meta({ example: 1 }),
      failed_count: z.int().describe('Number of items that failed.').meta({ example: 0 }),
    })
    .meta({ id, description: 'The results of a bulk call.' });
}

interface BulkResult<Record> {
  data: {
    index: number;
    result: (typeof RESULTS)[number];
    record: Record | null;
    error: z.infer<typeof BulkError> | null;
  }[];
  succeeded_count: number;
  failed_count: number;
}

/** A record, and whether the call has created or updated it. */
interface Outcome<Record> {
  record: Record;
  created: boolean;
  updated?: boolean;
}

/**
 * Runs `work` for each item in a transaction of its own. With an Idempotency-Key, each item has a key made of it and of the item's position: a repeated
 * call returns the stored results, and continues after the last item that was finished.
 *
 * Once the service itself fails, e.g. because the database does not answer, the remaining items fail with the same error, without being tried.
 *
 * @param procedure name of the procedure that creates a single record, for the fingerprint of an item
 */
export async function onceForEach<Item, Record>(
  ctx: Ctx,
  { procedure, items }: { procedure: string; items: readonly Item[] },
  work: (tx: WriteCtx, item: Item) => Promise<Outcome<Record>>,
): Promise<BulkResult<Record>> {
  const { idempotencyKey } = ctx;
  if (idempotencyKey !== undefined) validateIdempotencyKey(idempotencyKey);
  const data: BulkResult<Record>['data'] = [];
  let replayed = 0;
  let broken: z.infer<typeof BulkError> | null = null;
  for (const [index, item] of items.entries()) {
    if (broken) {
      data.push({ index, result: 'failed', record: null, error: broken });
      continue;
    }
    const reply: Ctx['reply'] = {};
    const each = { ...ctx, reply, idempotencyKey: idempotencyKey === undefined ? undefined : keyOfItem(idempotencyKey, index) };
    try {
      if (item instanceof RefusedItem) throw validationError(zodDetails(item.error));
      const { record, created, updated } = await onceInTransaction(each, { procedure, input: item }, (tx) => work(tx, item));
      if (reply.replayed) replayed += 1;
      data.push({ index, result: created ? 'created' : updated ? 'updated' : 'unchanged', record, error: null });
    } catch (error) {
      const { body } = toEnvelope(error);
      data.push({ index, result: 'failed', record: null, error: body });
      if (body.code === 'UNAVAILABLE' || body.code === 'INTERNAL_ERROR') broken = body;
    }
  }
  if (replayed === items.length) ctx.reply.replayed = true;
  const failed = data.filter(({ result }) => result === 'failed').length;
  return { data, succeeded_count: data.length - failed, failed_count: failed };
}

/** Returns the key of an item. The key of the call may have any permitted length. */
function keyOfItem(key: string, index: number): string {
  return `bulk ${hash('sha256', key, 'hex').slice(0, 40)} ${index}`;
}
