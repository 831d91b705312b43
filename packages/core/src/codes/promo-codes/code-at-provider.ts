import type { Ctx } from '../../platform/call/context.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { replayResponse, respondWith, type StoredResponse } from '../../platform/idempotency/key-store.ts';
import {
  beginOperation,
  failOperation,
  holdingLease,
  nextAttempt,
  operationPending,
  outsideKey,
} from '../../platform/operations/operation-ledger.ts';
import type { OperationRequest, RunningOperation } from '../../platform/operations/operation.ts';
import type { ProviderPromotionCode } from '../../sources/port/capabilities.ts';
import { onReason, PspError, pspFailure } from '../../sources/port/psp-error.ts';
import { CODE_REASONS } from '../reasons.ts';
import type { CodesConnection } from './assignable-affiliate.ts';

/**
 * Runs an operation: adds it to the ledger, calls the provider and records the outcome. If an earlier request has finished the operation,
 * returns its stored response.
 *
 * `work` calls the provider and closes the operation with `finishOperation`. If `work` throws and the outcome at the provider is unknown,
 * the operation stays pending, and the same request can resume it. If the operation is known to have changed nothing at the provider, its
 * idempotency key and its code become available to new operations.
 *
 * @throws OPERATION_PENDING, RECONCILIATION_REQUIRED, PSP_ERROR, and the errors of `work`
 */
export async function runOperation<Body>(
  ctx: Ctx,
  request: OperationRequest,
  work: (operation: RunningOperation) => Promise<StoredResponse<Body>>,
): Promise<Body> {
  const begun = await beginOperation<Body>(ctx, request);
  if ('replay' in begun) return replayResponse(ctx, begun.replay);
  const operation = begun.run;
  return holdingLease(ctx, operation.id, async () => {
    try {
      return respondWith(ctx, await work(operation));
    } catch (error) {
      if (error instanceof PspError && error.outcomeUnknown) {
        ctx.services.log.warn(
          { operation_id: operation.id, reason: error.reason, psp_request_id: error.requestId },
          'the outcome of an operation at the payment provider is unknown',
        );
        throw operationPending(operation.id);
      }
      if (isSettled(error, operation)) await failOperation(ctx, operation);
      return refuse(error);
    }
  });
}

/**
 * True if the operation is known to have changed nothing at the provider. False after an unexpected error of this service, because the
 * provider may have been called successfully before the error. Also false for a resumed operation if the outcome of its earlier attempt
 * cannot be looked up.
 */
function isSettled(error: unknown, { resumed }: RunningOperation): boolean {
  if (error instanceof DomainError) return true;
  if (!(error instanceof PspError)) return false;
  return !resumed || error.reason === 'rejected' || error.reason === 'not_found';
}

/**
 * Translates a refusal by the provider: to VALIDATION_ERROR with the name of our field if the caller can correct the input, otherwise to
 * PSP_ERROR.
 */
function refusal(error: PspError): DomainError {
  if (error.reason !== 'rejected' && error.reason !== 'not_found') return pspFailure(error);
  return invalid(FIELDS[error.param ?? ''] ?? '', error.said, error.providerCode ?? error.reason);
}

/** Throws the error for the caller after a failed call to the provider (`refusal`). Other errors stay. */
export function refuse(error: unknown): never {
  throw error instanceof PspError ? refusal(error) : error;
}

/** Our input field for each parameter name of the provider. */
const FIELDS: Readonly<Record<string, string>> = {
  code: 'code',
  coupon: 'psp_coupon_id',
  promotion: 'psp_coupon_id',
  'promotion[coupon]': 'psp_coupon_id',
  promotion_code: 'psp_promotion_code_id',
};

/** Metadata key at the provider. Its value is the id of the operation that created the code. */
const OPERATION_METADATA = 'affiliate_operation_id';

interface CodeToCreate {
  code: string;
  couponId: string;
  affiliateId: string;
}

/** Returns the promotion code with exactly this id, in the connection's mode. Throws VALIDATION_ERROR if there is no such code. */
export async function retrieveInMode(connection: CodesConnection, id: string): Promise<ProviderPromotionCode> {
  const code = await findAtProvider(connection, id);
  if (code === null) throw invalid('psp_promotion_code_id', CODE_REASONS.no_code_with_id, 'not_found');
  if (code.mode !== connection.mode)
    throw invalid('psp_promotion_code_id', CODE_REASONS.code_not_of_connected_mode, 'other_mode');
  return code;
}

/** Finds the promotion code with exactly this id, or null. */
export function findAtProvider({ codes }: CodesConnection, id: string): Promise<ProviderPromotionCode | null> {
  return codes.promotionCode(id).catch(onReason(['not_found'], () => null));
}

/** Deactivates a code at the provider, unless the provider no longer has it. */
export async function deactivateAtProvider({ codes }: CodesConnection, id: string): Promise<void> {
  await codes.setPromotionCodeActive(id, false).catch(onReason(['not_found'], () => null));
}

/**
 * Checks that the provider would create the code.
 *
 * @throws VALIDATION_ERROR for a coupon that is unknown or cannot be redeemed; CONFLICT when an active code has the same text
 */
export async function assertCreatable({ codes }: CodesConnection, input: CodeToCreate): Promise<void> {
  const coupon = await codes.coupon(input.couponId).catch(onReason(['not_found'], () => null));
  if (coupon === null) throw invalid('psp_coupon_id', CODE_REASONS.no_coupon_with_id, 'not_found');
  if (!coupon.valid) throw invalid('psp_coupon_id', CODE_REASONS.coupon_not_redeemable, 'coupon_invalid');
  const taken = (await codes.promotionCodesByCode(input.code)).find((existing) => existing.active);
  if (taken)
    throw new DomainError('CONFLICT', CODE_REASONS.code_text_taken, {
      psp_promotion_code_id: taken.id,
    });
}

/** Creates the code at the provider, or finds the code that an earlier attempt of the operation created. */
export async function createOnce(
  ctx: Ctx,
  connection: CodesConnection,
  operation: RunningOperation,
  input: CodeToCreate,
): Promise<ProviderPromotionCode> {
  if (!operation.resumed) {
    await assertCreatable(connection, input);
    return create(connection, operation, input);
  }
  const created = await findCreated(connection, operation, input);
  if (created) return created;
  try {
    return await create(connection, operation, input);
  } catch (error) {
    // The provider replayed the stored error of an earlier attempt with this key, and that attempt created no code. Try once more with a
    // new key.
    if (!(error instanceof PspError && error.outcomeUnknown && error.replayed)) throw error;
    return create(connection, await nextAttempt(ctx, operation), input);
  }
}

async function create(
  connection: CodesConnection,
  operation: RunningOperation,
  input: CodeToCreate,
): Promise<ProviderPromotionCode> {
  try {
    return await connection.codes.createPromotionCode(
      {
        code: input.code,
        couponId: input.couponId,
        metadata: { [OPERATION_METADATA]: operation.id, affiliate_id: input.affiliateId },
      },
      outsideKey(operation),
    );
  } catch (error) {
    if (!(error instanceof PspError && error.reason === 'rejected')) throw error;
    // The provider may have refused because an earlier attempt of this operation created the code and the response was lost. Otherwise
    // another code has the same text.
    const created = await findCreated(connection, operation, input);
    if (created) return created;
    await assertCreatable(connection, input);
    throw error;
  }
}

async function findCreated({ codes }: CodesConnection, { id }: RunningOperation, { code }: CodeToCreate) {
  const candidates = await codes.promotionCodesByCode(code);
  return candidates.find((candidate) => candidate.metadata[OPERATION_METADATA] === id);
}
