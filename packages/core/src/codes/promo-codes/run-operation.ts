import { ApiError, invalid } from '../../platform/errors/errors.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { pspApiError } from '../../provider/connections/psp-api-error.ts';
import {
  beginOperation,
  failOperation,
  holdingLease,
  operationPending,
  type OperationRequest,
  type OperationResponse,
  type RunningOperation,
} from '../../provider/operations/operation-ledger.ts';
import { PspError } from '../../provider/port/psp-error.ts';

/**
 * Carries an operation through: into the ledger, to the provider, and back into the ledger.
 *
 * `work` asks the provider and closes the operation with `finishOperation`. When it throws with the outcome open, the operation
 * stays pending for a retry with the same key; when it throws for certain, the key and the subject are free again.
 *
 * @throws OPERATION_PENDING, RECONCILIATION_REQUIRED, PSP_ERROR, and what `work` throws
 */
export async function runOperation<Body>(
  ctx: Ctx,
  request: OperationRequest,
  work: (operation: RunningOperation) => Promise<OperationResponse<Body>>,
): Promise<Body> {
  const begun = await beginOperation<Body>(ctx, request);
  if ('replay' in begun) return answer(ctx, begun.replay, true);
  const operation = begun.run;
  return holdingLease(ctx.services, operation.id, async () => {
    try {
      return answer(ctx, await work(operation), false);
    } catch (error) {
      if (error instanceof PspError && error.outcomeUnknown) {
        ctx.services.log.warn(
          { operation_id: operation.id, reason: error.reason, psp_request_id: error.requestId },
          'the outcome of an operation at the payment provider is open',
        );
        throw operationPending(operation.id);
      }
      if (isSettled(error, operation)) await failOperation(ctx, operation);
      throw error instanceof PspError ? refusal(error) : error;
    }
  });
}

/**
 * Whether it is certain now that the operation came to nothing. An error of ours may have struck after the provider did its
 * part; and a provider that will not let us look says nothing about an earlier attempt.
 */
function isSettled(error: unknown, { resumed }: RunningOperation): boolean {
  if (error instanceof ApiError) return true;
  if (!(error instanceof PspError)) return false;
  return !resumed || error.reason === 'rejected' || error.reason === 'not_found';
}

function answer<Body>(ctx: Ctx, response: OperationResponse<Body>, replayed: boolean): Body {
  ctx.reply.status = response.status;
  if (replayed) ctx.reply.replayed = true;
  return response.body;
}

/** The provider's refusal in the terms of our own fields: 422 where the caller can mend it, 502 otherwise. */
export function refusal(error: PspError): ApiError {
  if (error.reason !== 'rejected' && error.reason !== 'not_found') return pspApiError(error);
  return invalid(FIELDS[error.param ?? ''] ?? '', error.message, error.providerCode ?? error.reason);
}

/** Our names of the provider's parameters. */
const FIELDS: Readonly<Record<string, string>> = {
  code: 'code',
  coupon: 'psp_coupon_id',
  promotion: 'psp_coupon_id',
  'promotion[coupon]': 'psp_coupon_id',
  promotion_code: 'psp_promotion_code_id',
};
