import { type ValidationDetail, validationError } from '../../platform/errors/errors.ts';
import { type ToResponse, requestFingerprint, respondWith } from '../../platform/idempotency/idempotency.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { finishOperation, type OperationRequest } from '../../provider/operations/operation-ledger.ts';
import type { ProviderPromotionCode } from '../../provider/port/port.ts';
import { PspError } from '../../provider/port/psp-error.ts';
import { type AssignableAffiliate, assignableAffiliate } from './assignable-affiliate.ts';
import { assertMayHold, findOwner } from './ownership.ts';
import { createAssignment, previewCreation, previewImport, promoCodeAssignment, warningsAbout } from './promo-code.record.ts';
import type { AssignPromoCode, PromoCodeOutcome } from './promo-code.schema.ts';
import { assertCreatable, createOnce, retrieveInMode } from './code-at-provider.ts';
import { refusal, runOperation } from './run-operation.ts';

/**
 * Imports a promotion code of the provider for an affiliate, or creates one. Previews unless `dry_run` is false
 * (docs/domain-rules.md#promo-codes).
 *
 * @throws NOT_FOUND, VALIDATION_ERROR, PSP_NOT_CONNECTED; CONFLICT for a code of another affiliate or one that was stopped;
 * OPERATION_PENDING, RECONCILIATION_REQUIRED; PSP_ERROR
 */
export async function assignPromoCode(
  ctx: Ctx,
  input: AssignPromoCode,
  toResponse: ToResponse<AssignOutcome, PromoCodeOutcome>,
): Promise<PromoCodeOutcome> {
  const wanted = readWanted(input);
  const dryRun = input.dry_run || ctx.preview !== undefined;
  if (!dryRun && ctx.idempotencyKey === undefined) {
    throw validationError([
      {
        path: 'Idempotency-Key',
        code: 'required',
        message: 'Required when dry_run is false. Choose a unique value, and send the same one when you retry.',
      },
    ]);
  }
  const affiliate = await assignableAffiliate(ctx, input.affiliate_id);
  if (dryRun || ctx.idempotencyKey === undefined) {
    return respondWith(ctx, toResponse({ created: false, outcome: await previewing(() => preview(ctx, affiliate, wanted)) }));
  }

  const request: OperationRequest = {
    kind: wanted.type,
    livemode: affiliate.connection.livemode,
    subject: wanted.type === 'import' ? `id:${wanted.pspPromotionCodeId}` : `code:${wanted.code.toLowerCase()}`,
    idempotencyKey: ctx.idempotencyKey,
    fingerprint: requestFingerprint('promoCodes.assign', input),
  };
  return runOperation(ctx, request, async (operation) => {
    const code =
      wanted.type === 'import'
        ? await retrieveInMode(affiliate.connection, wanted.pspPromotionCodeId)
        : await createOnce(ctx, affiliate.connection, operation, { ...wanted, affiliateId: affiliate.affiliateId });
    return finishOperation(ctx, operation, async (tx) =>
      toResponse(await assign(tx, affiliate, code, { id: operation.id, type: wanted.type })),
    );
  });
}

/** `created` is false for a preview, and for a code that the affiliate held already. */
export interface AssignOutcome {
  created: boolean;
  outcome: PromoCodeOutcome;
}

type Wanted = { type: 'import'; pspPromotionCodeId: string } | { type: 'create'; code: string; couponId: string };

/** Reads the input as one of its two forms, which exclude each other. */
function readWanted(input: AssignPromoCode): Wanted {
  const { mode, code, psp_coupon_id: couponId, psp_promotion_code_id: pspPromotionCodeId } = input;
  const problems: ValidationDetail[] = [];
  const expect = (path: string, value: unknown, wanted: boolean) => {
    if ((value !== undefined) === wanted) return;
    problems.push(
      wanted
        ? { path, code: 'required', message: mode ? 'Required with mode create.' : 'Required unless mode is create.' }
        : { path, code: 'unrecognized_key', message: mode ? 'Not allowed with mode create.' : 'Only allowed with mode create.' },
    );
  };
  expect('code', code, mode !== undefined);
  expect('psp_coupon_id', couponId, mode !== undefined);
  expect('psp_promotion_code_id', pspPromotionCodeId, mode === undefined);
  if (pspPromotionCodeId !== undefined && problems.length === 0) return { type: 'import', pspPromotionCodeId };
  if (code !== undefined && couponId !== undefined && problems.length === 0) return { type: 'create', code, couponId };
  throw validationError(problems);
}

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

/** Assigns the code to the affiliate. An affiliate that already holds it keeps it unchanged. */
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

const ALREADY_ASSIGNED = { code: 'already_assigned', message: 'The affiliate already has this promotion code.' };

function ownerKey({ accountId }: Ctx, { id, livemode }: ProviderPromotionCode) {
  return { accountId, livemode, pspPromotionCodeId: id };
}

/** Runs a preview. It leaves no operation open, so every failure of the provider is a plain error. */
async function previewing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PspError ? refusal(error) : error;
  }
}
