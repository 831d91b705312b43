import { carryDebts } from '../ledger/earning/carry-debts.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { anyone, read, router, write } from '../platform/trpc/trpc.ts';
import { joinByInvitation, previewInvitation } from '../program/invitations/accept-invitation.ts';
import {
  createInvitation,
  deleteInvitation,
  getInvitation,
  listInvitations,
  resendInvitation,
  updateInvitation,
} from '../program/invitations/invitation.service.ts';
import {
  CreateInvitation,
  InvitationId,
  InvitationPage,
  InvitationPreview,
  InvitationRecord,
  InvitationToken,
  JoinByInvitation,
  Joined,
  ListInvitations,
  UpdateInvitation,
} from '../program/invitations/invitation.ts';

export const invitationsRouter = router({
  list: rest(read('invitations'), 'GET /invitations', {
    summary: 'List invitations',
    description: 'Returns invitations of every status, newest first.',
  })
    .input(ListInvitations)
    .output(InvitationPage)
    .query(({ ctx, input }) => listInvitations(ctx, input)),

  get: rest(read('invitations'), 'GET /invitations/{id}', { summary: 'Retrieve an invitation' })
    .input(InvitationId)
    .output(InvitationRecord)
    .query(({ ctx, input }) => getInvitation(ctx, input)),

  create: rest(write('invitations', CreateInvitation), 'POST /invitations', {
    summary: 'Create an invitation',
    description:
      'Emails a link that can be used once within seven days. An email address can have one pending invitation of each kind. Only a signed-in owner can invite an owner.',
    status: 201,
  })
    .output(InvitationRecord)
    .mutation(({ ctx, input }) => createInvitation(ctx, input)),

  update: rest(write('invitations', UpdateInvitation, { role: 'invitee' }), 'PATCH /invitations/{id}', {
    summary: 'Accept, revoke, or update an invitation',
    description:
      'A signed-in user can accept an invitation to their own email address; all other changes require the role admin. With an API key, `user_id` names the user who accepts a member invitation. Accepting an affiliate invitation creates an affiliate in the invitation’s campaign, or activates the existing affiliate with this email address.',
  })
    .output(InvitationRecord)
    .mutation(({ ctx, input }) => updateInvitation(ctx, input, carryDebts)),

  delete: rest(write('invitations', InvitationId), 'DELETE /invitations/{id}', {
    summary: 'Delete an invitation',
    description: 'Permanently deletes the invitation; its link stops working. A resulting member or affiliate is kept.',
    status: 204,
  })
    .output(InvitationRecord)
    .mutation(({ ctx, input }) => deleteInvitation(ctx, input)),

  resend: rest(write('invitations', InvitationId), 'POST /invitations/{id}/resend', {
    summary: 'Resend an invitation',
    description:
      'Emails a new link, valid for seven days; the previous link stops working. Limited to once a minute: further requests return 429 with `Retry-After`.',
    queryInBody: ['kind'],
  })
    .output(InvitationRecord)
    .mutation(({ ctx, input }) => resendInvitation(ctx, input)),

  /** A mutation although it only reads: a query would put the token into the URL and so into logs. */
  preview: anyone()
    .input(InvitationToken)
    .output(InvitationPreview)
    .mutation(({ ctx, input }) => previewInvitation(ctx, input)),

  join: anyone()
    .input(JoinByInvitation)
    .output(Joined)
    .mutation(({ ctx, input }) => joinByInvitation(ctx, input, carryDebts)),
});
