import { z } from 'zod';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { listMembers } from '../identity/members/member.queries.ts';
import { ListMembers, MemberId, MemberPage, MemberRecord, UpdateMemberRole } from '../identity/members/member.schema.ts';
import { removeSecondFactor } from '../identity/second-factor/remove-second-factor.ts';
import { removeMember, updateMemberRole } from '../identity/members/member.service.ts';

/** Procedures of the page Settings > Team members. Not part of the REST API. */
export const membersRouter = router({
  list: read('members')
    .input(ListMembers)
    .output(MemberPage)
    .query(({ ctx, input }) => listMembers(ctx, input)),

  updateRole: write('members', UpdateMemberRole)
    .output(MemberRecord)
    .mutation(({ ctx, input }) => updateMemberRole(ctx, input)),

  /** Only signed-in owners may call this procedure. */
  removeSecondFactor: write('members', MemberId, { role: 'owner' })
    .output(MemberRecord)
    .mutation(({ ctx, input }) => removeSecondFactor(ctx, input)),

  remove: write('members', MemberId)
    .output(z.void())
    .mutation(({ ctx, input }) => removeMember(ctx, input)),
});
