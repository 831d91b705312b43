import { z } from 'zod';
import { currency, id, text } from '../../platform/wire/scalars.ts';

export const UpdateAccount = z.strictObject({
  account_id: id('account'),
  name: text(200).optional().describe('Shown on the pages and in invitations.'),
  currency: currency().optional().describe('Of amounts given without one from now on; amounts that are there keep theirs.'),
});
export type UpdateAccount = z.infer<typeof UpdateAccount>;
