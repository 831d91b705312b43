import { z } from 'zod';
import { listOwnConnectors } from '../identity/connectors/connector.service.ts';
import { ConnectorsOf, OwnConnectors } from '../identity/connectors/connector.ts';
import { CallerRecord, describeCaller } from '../identity/credentials/describe-caller.ts';
import { chooseMemberMails, getMemberMails } from '../identity/members/member-mails.ts';
import { ChooseMemberMails, MemberMailChoice, MemberMailsOf } from '../identity/members/member.ts';
import {
  EndSession,
  endSession,
  getProfile,
  listOwnSessions,
  OwnSessions,
  Profile,
  UpdateProfile,
  updateProfile,
} from '../identity/profile/profile.ts';
import { signedInAbout } from '../identity/sessions/caller.ts';
import { getSession, SessionRecord, SwitchAccount, switchAccount } from '../identity/sessions/session.ts';
import { startWithCopy } from '../intake/test-mode/copy-campaigns.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { readOwn, router, signedIn } from '../platform/trpc/trpc.ts';

/** The signed-in person's own profile and sessions, and what they have as a member of an account: chosen emails, and the assistants that they connected. */
export const profileRouter = router({
  get: signedIn()
    .output(Profile)
    .query(({ ctx }) => getProfile(ctx)),

  update: signedIn()
    .input(UpdateProfile)
    .output(Profile)
    .mutation(({ ctx, input }) => updateProfile(ctx, input)),

  sessions: signedIn()
    .output(OwnSessions)
    .query(({ ctx }) => listOwnSessions(ctx)),

  mails: signedInAbout(MemberMailsOf)
    .output(MemberMailChoice)
    .query(({ ctx, input }) => getMemberMails(ctx, input)),

  chooseMails: signedInAbout(ChooseMemberMails)
    .output(MemberMailChoice)
    .mutation(({ ctx, input }) => chooseMemberMails(ctx, input)),

  connectors: signedInAbout(ConnectorsOf)
    .output(OwnConnectors)
    .query(({ ctx, input }) => listOwnConnectors(ctx, input)),

  endSession: signedIn()
    .input(EndSession)
    .output(z.void())
    .mutation(({ ctx, input }) => endSession(ctx, input)),
});

/** The caller of the API. */
export const meRouter = router({
  get: rest(readOwn(), 'GET /api/settings/v1/me', {
    summary: 'Retrieve the caller',
    description: 'Returns who sends the request, and with which permissions.',
  })
    .output(CallerRecord)
    .query(({ ctx }) => describeCaller(ctx)),
});

export const sessionRouter = router({
  get: signedIn()
    .output(SessionRecord)
    .query(({ ctx }) => getSession(ctx)),

  switchAccount: signedIn()
    .input(SwitchAccount)
    .output(SessionRecord)
    .mutation(async ({ ctx, input }) => {
      const session = await switchAccount(ctx, input);
      await startWithCopy(ctx, session);
      return session;
    }),
});
