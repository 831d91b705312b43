import { openAtService } from '../payouts/rails/open-account.ts';
import { anyone, router, signedIn } from '../platform/trpc/trpc.ts';
import { isOpenedByAffiliate, readForAffiliate, writeForAffiliate } from '../portal/access/procedures.ts';
import { AssetFile, AssetId, getOwnAsset, listOwnAssets, ListPortalAssets, PortalAssets } from '../portal/assets/asset.ts';
import { listOwnCommissions, ListPortalCommissions, PortalCommissionPage } from '../portal/commissions/commissions.ts';
import { listConversions, ListPortalConversions, PortalConversionPage } from '../portal/conversions/conversions.ts';
import {
  AnswerEmailChange,
  answerEmailChange,
  CancelEmailChange,
  cancelEmailChange,
  countEmailChange,
  EmailChangeAnswered,
  RequestEmailChange,
  requestEmailChange,
} from '../portal/email-change/email-change.ts';
import { EnterPortal, EnterWithCode, OwnKey, PortalEntry, RequestedCode } from '../portal/entry/portal-access.schema.ts';
import { createOwnKey, enterPortal, enterWithCode, removeOwnKey } from '../portal/entry/portal-access.ts';
import { getOwnFigures, GetOwnFigures, PortalFigures } from '../portal/figures/figures.ts';
import { getHome } from '../portal/home/home.queries.ts';
import { PortalHome } from '../portal/home/home.schema.ts';
import {
  GetPortalFront,
  getPortalFront,
  PortalFront,
  RequestedPortalLink,
  RequestPortalLink,
  requestPortalLink,
} from '../portal/host/portal-host.ts';
import {
  archiveOwnLink,
  CheckPortalCode,
  createOwnLink,
  CreatePortalLink,
  listOwnLinks,
  ListPortalLinks,
  PortalLink,
  PortalLinkId,
  PortalLinkPage,
  updateOwnLink,
  UpdatePortalLink,
} from '../portal/links/link.ts';
import { ChooseEmails, ChosenEmails, emailChoice, GetEmailChoice } from '../portal/notices/unsubscribe.ts';
import {
  GetStatement,
  getStatement,
  listOwnPayouts,
  ListPortalPayouts,
  PortalPayoutPage,
  Statement,
} from '../portal/payouts/payout.ts';
import { countCode, mailCode } from '../portal/profile/confirm-by-code.ts';
import {
  OwnAct,
  OwnActDone,
  PayoutDetails,
  PortalProfile,
  PortalPromoCodes,
  UpdatePayoutDetails,
  UpdateProfile,
} from '../portal/profile/profile.schema.ts';
import {
  getPayoutDetails,
  getProfile,
  keepOwnAccount,
  listOwnMethods,
  listOwnPromoCodes,
  OpenedOwnAccount,
  OpenOwnAccount,
  PortalPayoutMethods,
  removeOwnMethod,
  setOwnMethod,
  SetPayoutMethod,
  updatePayoutDetails,
  updateProfile,
} from '../portal/profile/profile.ts';
import { getSelf, PortalSelf } from '../portal/self/self.ts';
import { getStart, getSums, PortalStart, PortalSums } from '../portal/start/start.ts';
import { AcceptTerms, acceptTerms } from '../portal/terms/terms.ts';
import { eraseAffiliate } from '../privacy/erase-affiliate.ts';
import { PersonalData } from '../privacy/erasure.ts';
import { getPersonalData } from '../privacy/personal-rows.ts';
import { archiveAffiliate } from '../program/affiliates/affiliate.service.ts';
import { assertChoosable } from '../program/links/link-token.ts';
import { PayoutMethodId } from '../program/payout-methods/payout-method.schema.ts';

/** The portal of affiliates. Procedures that show or change an affiliate's records are made with `readForAffiliate` or `writeForAffiliate`. */
export const portalRouter = router({
  home: readForAffiliate()
    .output(PortalHome)
    .query(({ ctx }) => getHome(ctx)),

  self: readForAffiliate()
    .output(PortalSelf)
    .query(({ ctx }) => getSelf(ctx, { isView: ctx.opened?.kind === 'view', mayChange: isOpenedByAffiliate(ctx.opened) })),

  /**
   * The first data that the portal needs for a signed-in person. The response to a sign-in by link also contains it
   * (packages/rest/src/auth.ts).
   */
  start: signedIn()
    .output(PortalStart)
    .query(({ ctx }) => getStart(ctx)),

  /** The earnings of a person in each of their programs. */
  sums: signedIn()
    .output(PortalSums)
    .query(({ ctx }) => getSums(ctx)),

  getFigures: readForAffiliate()
    .input(GetOwnFigures)
    .output(PortalFigures)
    .query(({ ctx, input }) => getOwnFigures(ctx, input)),

  /** Opens the portal with the token of a link. This is a mutation, so that the token does not appear in a URL. */
  enter: anyone()
    .meta({ onPortalHosts: true })
    .input(EnterPortal)
    .output(PortalEntry)
    .mutation(({ ctx, input }) => enterPortal(ctx, input)),

  /** Emails a code, with which an affiliate confirms in a frame that it is them. */
  requestCode: writeForAffiliate(OwnAct, { sharing: true, before: ({ services, affiliate }) => countCode(services, affiliate) })
    .output(RequestedCode)
    .mutation(({ ctx }) => mailCode(ctx)),

  enterCode: anyone()
    .input(EnterWithCode)
    .output(PortalEntry)
    .mutation(({ ctx, input }) => enterWithCode(ctx, input)),

  /** Used by the start page of a portal host, before anybody has signed in. */
  front: anyone()
    .meta({ onPortalHosts: true })
    .input(GetPortalFront)
    .output(PortalFront)
    .query(({ ctx }) => getPortalFront(ctx)),

  requestLink: anyone()
    .meta({ onPortalHosts: true })
    .input(RequestPortalLink)
    .output(RequestedPortalLink)
    .mutation(({ ctx, input }) => requestPortalLink(ctx, input)),

  acceptTerms: writeForAffiliate(AcceptTerms, { sharing: true })
    .output(AcceptTerms)
    .mutation(({ ctx, input }) => acceptTerms({ ...ctx, openedBy: ctx.opened?.kind ?? 'session' }, input)),

  /** Used by the page that the unsubscribe link of an email opens. Reading changes nothing, because mail programs open links to scan them. */
  getEmailChoice: anyone()
    .input(GetEmailChoice)
    .output(ChosenEmails)
    .query(({ ctx, input }) => emailChoice(ctx.services, input.token)),

  /** Does what mail programs do with a POST to the same URL (packages/rest/src/mail-requests.ts), and undoes it. */
  chooseEmails: anyone()
    .input(ChooseEmails)
    .output(ChosenEmails)
    .mutation(({ ctx, input }) => emailChoice(ctx.services, input.token, input.gets_emails)),

  listLinks: readForAffiliate()
    .input(ListPortalLinks)
    .output(PortalLinkPage)
    .query(({ ctx, input }) => listOwnLinks(ctx, input)),

  createLink: writeForAffiliate(CreatePortalLink, { sharing: true })
    .output(PortalLink)
    .mutation(({ ctx, input }) => createOwnLink(ctx, input)),

  updateLink: writeForAffiliate(UpdatePortalLink, { sharing: true })
    .output(PortalLink)
    .mutation(({ ctx, input }) => updateOwnLink(ctx, input)),

  /** Checks the code of a link as the affiliate types it. */
  checkLinkCode: writeForAffiliate(CheckPortalCode, { sharing: true })
    .output(CheckPortalCode)
    .mutation(async ({ ctx, input }) => {
      await assertChoosable(ctx.tx, input.token, { affiliateId: ctx.affiliate.id, path: 'token' });
      return input;
    }),

  archiveLink: writeForAffiliate(PortalLinkId, { sharing: true })
    .output(PortalLink)
    .mutation(({ ctx, input }) => archiveOwnLink(ctx, input)),

  listConversions: readForAffiliate()
    .input(ListPortalConversions)
    .output(PortalConversionPage)
    .query(({ ctx, input }) => listConversions(ctx, input)),

  listCommissions: readForAffiliate()
    .input(ListPortalCommissions)
    .output(PortalCommissionPage)
    .query(({ ctx, input }) => listOwnCommissions(ctx, input)),

  listPayouts: readForAffiliate()
    .input(ListPortalPayouts)
    .output(PortalPayoutPage)
    .query(({ ctx, input }) => listOwnPayouts(ctx, input)),

  getStatement: readForAffiliate()
    .input(GetStatement)
    .output(Statement)
    .query(({ ctx, input }) => getStatement(ctx, input)),

  listAssets: readForAffiliate()
    .input(ListPortalAssets)
    .output(PortalAssets)
    .query(({ ctx }) => listOwnAssets(ctx)),

  getAsset: readForAffiliate()
    .input(AssetId)
    .output(AssetFile)
    .query(({ ctx, input }) => getOwnAsset(ctx, input)),

  listPromoCodes: readForAffiliate()
    .output(PortalPromoCodes)
    .query(({ ctx }) => listOwnPromoCodes(ctx)),

  getPayoutDetails: readForAffiliate()
    .output(PayoutDetails)
    .query(({ ctx }) => getPayoutDetails(ctx)),

  updatePayoutDetails: writeForAffiliate(UpdatePayoutDetails, { fresh: true })
    .output(PayoutDetails)
    .mutation(({ ctx, input }) => updatePayoutDetails(ctx, input)),

  listPayoutMethods: readForAffiliate()
    .output(PortalPayoutMethods)
    .query(({ ctx }) => listOwnMethods(ctx)),

  setPayoutMethod: writeForAffiliate(SetPayoutMethod, { fresh: true })
    .output(PortalPayoutMethods)
    .mutation(({ ctx, input }) => setOwnMethod(ctx, input)),

  openPayoutAccount: writeForAffiliate(OpenOwnAccount, {
    fresh: true,
    before: ({ services, affiliate: { id, account_id } }, input) =>
      openAtService({ db: services.database.kysely, accountId: account_id, services }, { affiliate_id: id, ...input }),
  })
    .output(OpenedOwnAccount)
    .mutation(async ({ ctx, input }) => {
      const { payout_method: _, ...link } = await keepOwnAccount(ctx, input.kind, ctx.before);
      return link;
    }),

  removePayoutMethod: writeForAffiliate(PayoutMethodId, { fresh: true })
    .output(PortalPayoutMethods)
    .mutation(({ ctx, input }) => removeOwnMethod(ctx, input)),

  getProfile: readForAffiliate()
    .output(PortalProfile)
    .query(({ ctx }) => getProfile(ctx)),

  requestEmailChange: writeForAffiliate(RequestEmailChange, {
    fresh: true,
    before: ({ services, affiliate }, input) => countEmailChange(services, affiliate.id, input),
  })
    .output(PortalProfile)
    .mutation(({ ctx, input }) => requestEmailChange(ctx, input)),

  cancelEmailChange: writeForAffiliate(CancelEmailChange)
    .output(PortalProfile)
    .mutation(({ ctx }) => cancelEmailChange(ctx)),

  /**
   * Confirms or ends an email change. Called when the owner of the old or the new address follows the link in the email to that address.
   * Not served on merchants' own host names.
   */
  answerEmailChange: anyone()
    .input(AnswerEmailChange)
    .output(EmailChangeAnswered)
    .mutation(({ ctx, input }) => answerEmailChange(ctx, input)),

  /** Creates the key with which a program of the affiliate reads what the portal shows. It ends a former key. */
  createKey: writeForAffiliate(OwnAct, { fresh: true })
    .output(OwnKey)
    .mutation(({ ctx }) => createOwnKey(ctx)),

  removeKey: writeForAffiliate(OwnAct)
    .output(PortalProfile)
    .mutation(async ({ ctx }) => {
      await removeOwnKey(ctx);
      return getProfile(ctx);
    }),

  updateProfile: writeForAffiliate(UpdateProfile)
    .output(PortalProfile)
    .mutation(({ ctx, input }) => updateProfile(ctx, input)),

  /** Everything that is stored about the affiliate, as the merchant exports it. A mutation, because only a fresh sign-in may ask for it. */
  exportData: writeForAffiliate(OwnAct, { fresh: true })
    .output(PersonalData)
    .mutation(({ ctx }) => getPersonalData(ctx.tx, 'affiliate', ctx.affiliate.id)),

  /** Ends the membership, as if the merchant archived the affiliate. Somebody with commissions keeps reading. */
  leave: writeForAffiliate(OwnAct, { fresh: true })
    .output(OwnActDone)
    .mutation(async ({ ctx }) => {
      await archiveAffiliate(ctx.tx, ctx.affiliate);
      return { at: ctx.now };
    }),

  eraseData: writeForAffiliate(OwnAct, { fresh: true })
    .output(OwnActDone)
    .mutation(async ({ ctx }) => {
      await eraseAffiliate(ctx.tx, ctx.affiliate);
      return { at: ctx.now };
    }),
});
