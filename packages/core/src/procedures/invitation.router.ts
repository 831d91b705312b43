import { anyone, read, rest, router, write } from '../platform/trpc/trpc.ts';
import { getInvitation, listInvitations } from '../program/invitations/invitation.queries.ts';
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
} from '../program/invitations/invitation.schema.ts';
import {
  createInvitation,
  deleteInvitation,
  resendInvitation,
  updateInvitation,
} from '../program/invitations/invitation.service.ts';
import { joinByInvitation, previewInvitation } from '../program/invitations/join-by-invitation.ts';

export const invitationsRouter = router({
  list: read('invitations')
    .meta(
      rest('GET', '/invitations', { summary: 'List invitations', description: 'Of every status unless filtered, newest first.' }),
    )
    .input(ListInvitations)
    .output(InvitationPage)
    .query(({ ctx, input }) => listInvitations(ctx, input)),

  get: read('invitations')
    .meta(rest('GET', '/invitations/{id}', { summary: 'Get an invitation' }))
    .input(InvitationId)
    .output(InvitationRecord)
    .query(({ ctx, input }) => getInvitation(ctx, input)),

  create: write('invitations', CreateInvitation)
    .meta(
      rest('POST', '/invitations', {
        summary: 'Invite somebody',
        description:
          'Mails a link that works once, for seven days. One e-mail address has at most one pending invitation of a kind. Only an owner, signed in, can invite an owner.',
        status: 201,
      }),
    )
    .output(InvitationRecord)
    .mutation(({ ctx, input }) => createInvitation(ctx, input)),

  update: write('invitations', UpdateInvitation, { role: 'invitee' })
    .meta(
      rest('PATCH', '/invitations/{id}', {
        summary: 'Accept, revoke or change an invitation',
        description:
          'In a session, one accepts one’s own invitation, as a member of the account or not; everything else needs the role admin. With an API key, `user_id` says who accepts as a member. Accepting an affiliate invitation creates the affiliate, or activates the one with this e-mail address, in the invitation’s campaign.',
      }),
    )
    .output(InvitationRecord)
    .mutation(({ ctx, input }) => updateInvitation(ctx, input)),

  delete: write('invitations', InvitationId)
    .meta(
      rest('DELETE', '/invitations/{id}', {
        summary: 'Delete an invitation',
        description: 'Its link stops working. A membership or affiliate that came of it stays.',
        status: 204,
      }),
    )
    .output(InvitationRecord)
    .mutation(({ ctx, input }) => deleteInvitation(ctx, input)),

  resend: write('invitations', InvitationId)
    .meta(
      rest('POST', '/invitations/{id}/resend', {
        summary: 'Send an invitation again',
        description:
          'Mails a new link for seven days; the former one stops working. At most once a minute: 429 with Retry-After.',
        queryInBody: ['kind'],
      }),
    )
    .output(InvitationRecord)
    .mutation(({ ctx, input }) => resendInvitation(ctx, input)),

  /** A mutation, although it only reads: the token must not stand in a URL, where logs would keep it. */
  preview: anyone()
    .input(InvitationToken)
    .output(InvitationPreview)
    .mutation(({ ctx, input }) => previewInvitation(ctx, input)),

  join: anyone()
    .input(JoinByInvitation)
    .output(Joined)
    .mutation(({ ctx, input }) => joinByInvitation(ctx, input)),
});
