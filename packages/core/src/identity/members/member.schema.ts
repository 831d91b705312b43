import { z } from 'zod';
import { ROLES } from '../../platform/access/permissions.ts';
import { updatedRange } from '../../platform/wire/filters.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant } from '../../platform/wire/scalars.ts';
import { sortBy } from '../../platform/wire/sorting.ts';

export const MemberRecord = z
  .object({
    user_id: id('user'),
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    has_second_factor: z.boolean().describe('`true` if signing in asks the user for a code.'),
    created_at: instant().describe('Time at which the user joined the account.'),
    updated_at: instant(),
  })
  .meta({ id: 'Member', description: 'A user with access to the account.' });
export type MemberRecord = z.infer<typeof MemberRecord>;

export const ListMembers = z.strictObject({ ...pageInput, ...sortBy('updated_at'), ...updatedRange });
export type ListMembers = z.infer<typeof ListMembers>;
export const MemberPage = paginated(MemberRecord);
export const MemberId = z.strictObject({ user_id: id('user') });
export const UpdateMemberRole = z.strictObject({ user_id: id('user'), role: z.enum(ROLES) });
export type UpdateMemberRole = z.infer<typeof UpdateMemberRole>;
