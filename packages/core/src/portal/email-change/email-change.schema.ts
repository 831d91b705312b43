import { z } from 'zod';
import { email } from '../../platform/wire/scalars.ts';

export const RequestEmailChange = z.strictObject({ new_email: email() });
export type RequestEmailChange = z.infer<typeof RequestEmailChange>;

export const CancelEmailChange = z.strictObject({});

export const AnswerEmailChange = z.strictObject({
  token: z.string().min(1).max(200),
  answer: z.enum(['agree', 'refuse']).describe('`agree` confirms the change, `refuse` cancels the change.'),
});
export type AnswerEmailChange = z.infer<typeof AnswerEmailChange>;

export const EmailChangeAnswered = z.object({
  state: z
    .enum(['waiting', 'changed', 'refused'])
    .describe(
      '`waiting`: the owner of the other address has not answered yet. `changed`: both owners have confirmed. `refused`: nothing is changed.',
    ),
  account_name: z.string(),
});
export type EmailChangeAnswered = z.infer<typeof EmailChangeAnswered>;
