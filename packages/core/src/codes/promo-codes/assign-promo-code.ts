import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { Db } from '../../platform/db/database.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { DomainError, invalid, type ValidationDetail, validationError } from '../../platform/errors/errors.ts';
import { requestFingerprint } from '../../platform/idempotency/key-rules.ts';
import { respondWith, type ToResponse } from '../../platform/idempotency/key-store.ts';
import { findOpenOperations, finishOperation, type OpenOperation } from '../../platform/operations/operation-ledger.ts';
import type { OperationRequest, RunningOperation } from '../../platform/operations/operation.ts';
import { subjectAt } from '../../sources/connections/open-connection.ts';
import type { ProviderPromotionCode } from '../../sources/port/capabilities.ts';
import { isOwnMode } from '../../sources/port/port.ts';
import { CODE_REASONS } from '../reasons.ts';
import { type AssignableAffiliate, assignableAffiliate } from './assignable-affiliate.ts';
import { assertCreatable, createOnce, refuse, retrieveInMode, runOperation } from './code-at-provider.ts';
import { createAssignment, previewCreation, previewImport, promoCodeAssignment, warningsAbout } from './promo-code-record.ts';
import type { AssignPromoCode, PromoCodeOutcome, ResumePromoCode } from './promo-code.schema.ts';

/** A promotion code to import or to create for an affiliate, in the mode of the connection. */
interface AssignmentInput {
  affiliate_id: string;
  livemode: boolean;
  psp_promotion_code_id?: string;
  code?: string;
  psp_coupon_id?: string;
}

declare module '../../platform/operations/operation.ts' {
  interface OperationKinds extends Record<'import' | 'create', AssignmentInput> {}
}

/** Finds the pending assignments of an affiliate, or of all affiliates, oldest first. */
export async function findOpenAssignments(ctx: Ctx, affiliateId?: string): Promise<OpenOperation<'import' | 'create'>[]> {
  const open = await findOpenOperations(ctx, ['import', 'create']);
  return affiliateId === undefined ? open : open.filter(({ input }) => input.affiliate_id === affiliateId);
}

/**
 * Assigns a promotion code to an affiliate: imports an existing code of the provider, or creates one there. Only previews the assignment
 * unless `dry_run` is false (docs/rules/codes.md#promo-codes).
 *
 * @throws NOT_FOUND, VALIDATION_ERROR, PSP_NOT_CONNECTED; CONFLICT for a code of another affiliate or a code whose tracking was stopped;
 * OPERATION_PENDING, RECONCILIATION_REQUIRED; PSP_ERROR
 */
export async function assignPromoCode(
  ctx: Ctx,
  input: AssignPromoCode,
  toResponse: ToResponse<AssignOutcome, PromoCodeOutcome>,
): Promise<PromoCodeOutcome> {
  const wanted = readWanted(input);
  const dryRun = input.dry_run || ctx.preview !== undefined;
  if (!dryRun && ctx.idempotencyKey === undefined)
    throw validationError([{ path: 'Idempotency-Key', code: 'required', message: CODE_REASONS.idempotency_key_required }]);
  const affiliate = await assignableAffiliate(ctx, input.affiliate_id);
  if (dryRun || ctx.idempotencyKey === undefined) {
    return respondWith(ctx, toResponse({ created: false, outcome: await preview(ctx, affiliate, wanted).catch(refuse) }));
  }

  const request: OperationRequest = {
    kind: wanted.type,
    subject: subjectAt(
      affiliate.connection,
      wanted.type === 'import' ? `id:${wanted.pspPromotionCodeId}` : `code:${wanted.code.toLowerCase()}`,
    ),
    idempotencyKey: ctx.idempotencyKey,
    fingerprint: requestFingerprint('promoCodes.assign', input),
    input: inputOf(affiliate, wanted),
  };
  return runOperation(ctx, request, (operation) => carryOut(ctx, affiliate, wanted, operation, toResponse));
}

/**
 * Finishes a pending operation for an affiliate, even if another member began it. The outcome of such an operation at the provider is
 * unknown. Asks the provider whether the operation took effect, and repeats it if it did not.
 *
 * @throws NOT_FOUND when the operation is not pending any more; also the errors of `assignPromoCode`
 */
export async function resumeAssignment(
  ctx: Ctx,
  { affiliate_id, operation_id }: ResumePromoCode,
  toResponse: ToResponse<AssignOutcome, PromoCodeOutcome>,
): Promise<PromoCodeOutcome> {
  const open = (await findOpenAssignments(ctx, affiliate_id)).find(({ id }) => id === operation_id);
  const { kind, subject, fingerprint, input } = foundOrThrow(open, 'pending operation');
  const affiliate = await assignableAffiliate(ctx, input.affiliate_id);
  if (input.livemode !== affiliate.connection.livemode)
    throw invalid('operation_id', CODE_REASONS.operation_of_other_mode, 'other_mode');
  const wanted = wantedOf(input);
  if (ctx.preview !== undefined)
    return respondWith(ctx, toResponse({ created: false, outcome: await preview(ctx, affiliate, wanted).catch(refuse) }));
  const request: OperationRequest = { kind, subject, fingerprint, idempotencyKey: null, input };
  return runOperation(ctx, request, (operation) => carryOut(ctx, affiliate, wanted, operation, toResponse));
}

/** Imports or creates the code at the provider, assigns it, and closes the operation. */
async function carryOut(
  ctx: Ctx,
  affiliate: AssignableAffiliate,
  wanted: Wanted,
  operation: RunningOperation,
  toResponse: ToResponse<AssignOutcome, PromoCodeOutcome>,
) {
  const code =
    wanted.type === 'import'
      ? await retrieveInMode(affiliate.connection, wanted.pspPromotionCodeId)
      : await createOnce(ctx, affiliate.connection, operation, { ...wanted, affiliateId: affiliate.affiliateId });
  return finishOperation(ctx, operation, async (tx) =>
    toResponse(await assign(tx, affiliate, code, { id: operation.id, type: wanted.type })),
  );
}

/** `created` is false for a preview, and for a code that the affiliate already had. */
export interface AssignOutcome {
  created: boolean;
  outcome: PromoCodeOutcome;
}

type Wanted = { type: 'import'; pspPromotionCodeId: string } | { type: 'create'; code: string; couponId: string };

function inputOf({ affiliateId, connection }: AssignableAffiliate, wanted: Wanted): AssignmentInput {
  const common = { affiliate_id: affiliateId, livemode: connection.livemode };
  return wanted.type === 'import'
    ? { ...common, psp_promotion_code_id: wanted.pspPromotionCodeId }
    : { ...common, code: wanted.code, psp_coupon_id: wanted.couponId };
}

function wantedOf({ psp_promotion_code_id, code, psp_coupon_id }: AssignmentInput): Wanted {
  return psp_promotion_code_id === undefined
    ? { type: 'create', code: code!, couponId: psp_coupon_id! }
    : { type: 'import', pspPromotionCodeId: psp_promotion_code_id };
}

/**
 * Reads the input of an import or a creation. Throws VALIDATION_ERROR if required fields are missing, or if an import has fields of a creation
 * or vice versa.
 */
function readWanted(input: AssignPromoCode): Wanted {
  const { mode, code, psp_coupon_id: couponId, psp_promotion_code_id: pspPromotionCodeId } = input;
  const problems: ValidationDetail[] = [];
  const expect = (path: string, value: unknown, wanted: boolean) => {
    if ((value !== undefined) === wanted) return;
    problems.push(
      wanted
        ? { path, code: 'required', message: mode ? CODE_REASONS.required_to_create : CODE_REASONS.required_unless_create }
        : { path, code: 'unrecognized_key', message: mode ? CODE_REASONS.not_when_creating : CODE_REASONS.only_when_creating },
    );
  };
  expect('code', code, mode !== undefined);
  expect('psp_coupon_id', couponId, mode !== undefined);
  expect('psp_promotion_code_id', pspPromotionCodeId, mode === undefined);
  if (pspPromotionCodeId !== undefined && problems.length === 0) return { type: 'import', pspPromotionCodeId };
  if (code !== undefined && couponId !== undefined && problems.length === 0) return { type: 'create', code, couponId };
  throw validationError(problems);
}

/** Previews an assignment. It leaves no operation open, so callers report a failure of the provider as a plain error. */
async function preview(ctx: Ctx, affiliate: AssignableAffiliate, wanted: Wanted): Promise<PromoCodeOutcome> {
  const { connection } = affiliate;
  const operation = { id: null, type: wanted.type, state: 'previewed' as const };
  if (wanted.type === 'create') {
    await assertCreatable(connection, { ...wanted, affiliateId: affiliate.affiliateId });
    const assignment = previewCreation(affiliate, { ...wanted, livemode: connection.livemode });
    return { dry_run: true, operation, assignment, warnings: [] };
  }
  const code = await retrieveInMode(connection, wanted.pspPromotionCodeId);
  const owner = await findOwner(ctx.db, ownerKey(ctx, code));
  if (owner) assertMayHold(owner, affiliate.affiliateId);
  return {
    dry_run: true,
    operation,
    assignment: owner ? promoCodeAssignment(owner) : previewImport(ctx, affiliate, code),
    warnings: [...warningsAbout(code), ...(owner ? [ALREADY_ASSIGNED] : [])],
  };
}

/** Assigns the code to the affiliate. Changes nothing if the affiliate already has the code. */
async function assign(
  tx: WriteCtx,
  affiliate: AssignableAffiliate,
  code: ProviderPromotionCode,
  { id, type }: { id: string; type: 'import' | 'create' },
): Promise<AssignOutcome> {
  const owner = await findOwner(tx.db, ownerKey(tx, code));
  if (owner) assertMayHold(owner, affiliate.affiliateId);
  const assignment = owner ?? createAssignment(tx, affiliate, type, code);
  return {
    created: !owner,
    outcome: {
      dry_run: false,
      operation: { id, type, state: 'succeeded' },
      assignment: promoCodeAssignment(assignment),
      warnings: [...warningsAbout(code), ...(owner ? [ALREADY_ASSIGNED] : [])],
    },
  };
}

const ALREADY_ASSIGNED = { code: 'already_assigned', message: String(CODE_REASONS.code_assigned_already) };

function ownerKey({ accountId }: Ctx, { id, mode }: ProviderPromotionCode) {
  return { accountId, livemode: isOwnMode(accountId, mode), pspPromotionCodeId: id };
}

/** Finds the assignment of a promotion code in an account and mode, by the code's exact id at the provider. The code's text is not compared. */
async function findOwner(
  db: Db,
  { accountId, livemode, pspPromotionCodeId }: { accountId: string; livemode: boolean; pspPromotionCodeId: string },
): Promise<TableRow<'promo_code'> | undefined> {
  return db
    .selectFrom('promo_code')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('psp_promotion_code_id', '=', pspPromotionCodeId)
    .executeTakeFirst();
}

/**
 * Throws CONFLICT unless the affiliate holds the code. Codes are neither transferred nor reactivated (docs/rules/codes.md#promo-codes).
 */
function assertMayHold(owner: TableRow<'promo_code'>, affiliateId: string): void {
  if (owner.affiliate_id !== affiliateId) throw new DomainError('CONFLICT', CODE_REASONS.code_of_other_affiliate);
  if (owner.status === 'stopped') throw new DomainError('CONFLICT', CODE_REASONS.code_not_tracked);
  if (owner.origin === 'affiliate_coupon') throw new DomainError('CONFLICT', CODE_REASONS.code_is_coupon);
}
