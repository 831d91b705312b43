import { z } from 'zod';
import {
  getMember,
  ListMembers,
  listMembers,
  MemberId,
  MemberPage,
  MemberRecord,
  removeMember,
  UpdateMemberRole,
  updateMemberRole,
} from '../identity/members/member.ts';
import { removeSecondFactor } from '../identity/second-factor/members-second-factor.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';

/** Procedures of the page Settings > Team members (docs/rules/identity.md#members). */
export const membersRouter = router({
  list: rest(read('members'), 'GET /api/settings/v1/members', {
    summary: 'List members',
    description:
      'Returns the members of the account, newest first. To add a member, create an invitation (`POST /api/v1/invitations`).',
  })
    .input(ListMembers)
    .output(MemberPage)
    .query(({ ctx, input }) => listMembers(ctx, input)),

  get: rest(read('members'), 'GET /api/settings/v1/members/{user_id}', {
    summary: 'Retrieve a member',
    description: 'Returns a person with access to the account.',
  })
    .input(MemberId)
    .output(MemberRecord)
    .query(({ ctx, input }) => getMember(ctx, input.user_id)),

  updateRole: rest(write('members', UpdateMemberRole), 'PATCH /api/settings/v1/members/{user_id}', {
    summary: 'Change the role of a member',
    description:
      'Only an owner can make or demote an owner, and the last owner keeps the role. An API key needs all permissions of the new role.',
  })
    .output(MemberRecord)
    .mutation(({ ctx, input }) => updateMemberRole(ctx, input)),

  removeSecondFactor: rest(
    write('members', MemberId, { role: 'owner' }),
    'POST /api/settings/v1/members/{user_id}/remove_second_factor',
    {
      summary: 'Remove the second factor of a member',
      description: 'For a member who lost the device. Only signed-in owners can remove it.',
    },
  )
    .output(MemberRecord)
    .mutation(({ ctx, input }) => removeSecondFactor(ctx, input)),

  remove: rest(write('members', MemberId), 'DELETE /api/settings/v1/members/{user_id}', {
    summary: 'Remove a member',
    description:
      'The person loses access to the account, and the AI assistants that they connected to it are revoked. Only an owner can remove an owner, and the last owner cannot be removed.',
    status: 204,
  })
    .output(z.void())
    .mutation(({ ctx, input }) => removeMember(ctx, input)),
});
