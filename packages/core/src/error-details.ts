import { z } from 'zod';
import { PlainCommission } from './ledger/commissions/commission.schema.ts';
import { SaleRecord } from './ledger/sales/sale.schema.ts';
import type { ErrorCode } from './platform/errors/error-table.ts';

const ValidationProblem = z
  .object({
    path: z.string().meta({
      description: 'Path of the field or parameter, with dots and indexes. Empty if the problem concerns the input as a whole.',
      example: 'commission_percent',
    }),
    code: z.string().meta({ description: 'Stable code of the problem, for programs.', example: 'too_big' }),
    message: z.string().meta({ description: 'Human-readable message.', example: 'Must be at most 100.' }),
    accepted: z
      .array(z.string())
      .optional()
      .describe(
        'For a value or a name that is not one of those accepted: the accepted ones. Several problems with the same list have it once.',
      ),
  })
  .meta({ id: 'ValidationDetail', description: 'One problem with the input.' });

const Waiting = z
  .object({ retry_after: z.int().optional().describe('Seconds to wait, as in the header `Retry-After`.') })
  .meta({ id: 'RetryDetails', description: 'Time after which the request can be sent again.' });

const PendingOperation = z
  .object({ operation_id: z.string().optional().describe('ID of the operation at the payment provider.') })
  .meta({ id: 'OperationDetails', description: 'An operation at the payment provider whose outcome is unknown.' });

/** The schemas of `details` by error code (docs/rules/platform.md#errors). The errors of other codes have no `details`. */
export const ERROR_DETAILS = {
  VALIDATION_ERROR: z.array(ValidationProblem).min(1),
  FORBIDDEN: z
    .object({
      permission: z.string().optional().describe('Missing permission.'),
      reason: z
        .enum(['sign_in_again', 'person_needed'])
        .optional()
        .describe('`sign_in_again`: the sign-in is too old; `person_needed`: only a signed-in person may do this.'),
    })
    .meta({ id: 'ForbiddenDetails', description: 'The permission or the sign-in that the caller lacks.' }),
  PAY_LIMIT_EXCEEDED: z
    .object({
      currency: z.string().describe('Currency of the amounts.'),
      limit_cents: z.int().describe('The most that the connector may mark as paid within 24 hours.'),
      counted_cents: z.int().describe('The amount that it has marked as paid within the last 24 hours.'),
      amount_cents: z.int().describe('The amount that the request would mark as paid.'),
    })
    .meta({ id: 'PayLimitDetails', description: 'The daily limit of a connector.' }),
  PRECONDITION_FAILED: z
    .object({
      reason: z.literal('exists').optional().describe('`exists`: the request has `If-None-Match: *`, and the record exists.'),
      id: z.string().optional().describe('With `exists`: ID of the record.'),
    })
    .meta({ id: 'PreconditionDetails', description: 'The condition that does not hold, unless it is `If-Match`.' }),
  CONFLICT: z
    .object({
      reason: z.string().optional().describe('Stable code of the conflict, for programs, if the operation has several.'),
      psp_promotion_code_id: z.string().optional().describe('ID of the code at the payment provider that has the same text.'),
      fields: z
        .array(z.string())
        .optional()
        .describe('With `other_values`: the fields of a reported sale or refund that differ from the first report.'),
      sale: SaleRecord.optional().describe('With `other_values`: the stored sale.'),
      refund: z
        .object({ refund_id: z.string(), amount_cents: z.int() })
        .optional()
        .describe('With `other_values` of a refund: the stored refund.'),
      commission: PlainCommission.nullish().describe('With `other_values`: the commission of the stored sale, or `null`.'),
    })
    .meta({ id: 'ConflictDetails', description: 'The reason of the conflict.' }),
  RATE_LIMITED: Waiting,
  UNAVAILABLE: Waiting,
  OPERATION_PENDING: PendingOperation,
  RECONCILIATION_REQUIRED: PendingOperation,
  PSP_ERROR: z
    .object({
      reason: z
        .string()
        .optional()
        .describe('Reason: `unreachable`, `timeout`, `unavailable`, `rate_limited`, `authentication` or `permission`.'),
      psp_code: z.string().optional().describe('Error code of the payment provider.'),
      psp_request_id: z.string().optional().describe('Request ID of the payment provider. Quote it to the provider’s support.'),
    })
    .meta({ id: 'ProviderDetails', description: 'The answer of the payment provider.' }),
} as const satisfies Partial<Record<ErrorCode, z.ZodType>>;

/** The type of `details` by error code. Only validation errors always have details. */
export type ErrorDetails = {
  [Code in ErrorCode]: Code extends 'VALIDATION_ERROR'
    ? z.output<(typeof ERROR_DETAILS)[Code]>
    : Code extends keyof typeof ERROR_DETAILS
      ? z.output<(typeof ERROR_DETAILS)[Code]> | undefined
      : undefined;
};
