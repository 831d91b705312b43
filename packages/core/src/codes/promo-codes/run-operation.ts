import type { Ctx } from '../../platform/call/context.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { type StoredResponse, replayResponse, respondWith } from '../../platform/idempotency/key-store.ts';
import { beginOperation, failOperation, holdingLease, operationPending } from '../../platform/operations/operation-ledger.ts';
import type { OperationRequest, RunningOperation } from '../../platform/operations/operation.ts';
import { pspFailure, PspError } from '../../sources/port/psp-error.ts';

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
      throw error instanceof PspError ? refusal(error) : error;
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
export function refusal(error: PspError): DomainError {
  if (error.reason !== 'rejected' && error.reason !== 'not_found') return pspFailure(error);
  return invalid(FIELDS[error.param ?? ''] ?? '', error.said, error.providerCode ?? error.reason);
}

/** Our input field for each parameter name of the provider. */
const FIELDS: Readonly<Record<string, string>> = {
  code: 'code',
  coupon: 'psp_coupon_id',
  promotion: 'psp_coupon_id',
  'promotion[coupon]': 'psp_coupon_id',
  promotion_code: 'psp_promotion_code_id',
};
