import { restoreAccount, scheduleDeletion } from '../identity/accounts/account-deletion.ts';
import {
  AccountCreated,
  CreateAccount,
  DeleteAccount,
  ExampleRemoved,
  GetAccount,
  LeaveAccount,
  RemoveExample,
  RequireSecondFactor,
  RestoreAccount,
  UnsentMails,
  UpdateAccount,
} from '../identity/accounts/account.schema.ts';
import { getAccount, listUnsentMails, updateAccount, leaveAccount } from '../identity/accounts/account.service.ts';
import { createOwnAccount } from '../identity/accounts/create-account.ts';
import { removeExample } from '../identity/accounts/example-account.ts';
import { listAuditLog, AuditLogPage, BrowseAuditLog, ListAuditLog } from '../identity/audit-log/audit-log.ts';
import { requireSecondFactor } from '../identity/second-factor/members-second-factor.ts';
import { signedInAbout } from '../identity/sessions/caller.ts';
import { AccountRecord, SessionRecord } from '../identity/sessions/session.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, signedIn } from '../platform/trpc/trpc.ts';
import { describeAuditLog, DescribedAuditEntries } from '../reports/record-names/record-names.ts';

/** Procedures about the account itself. Only signed-in users can call them, because no permission of an API key covers them. */
export const accountRouter = router({
  get: rest(signedInAbout(GetAccount), 'GET /api/settings/v1/account', {
    summary: 'Retrieve the account',
    description: 'Every member can retrieve the account.',
    accountFromContext: true,
  })
    .output(AccountRecord)
    .query(({ ctx, input }) => getAccount(ctx, input.account_id)),

  /** Used by the page of unsent emails. */
  unsentMails: signedInAbout(GetAccount)
    .output(UnsentMails)
    .query(({ ctx, input }) => listUnsentMails(ctx, input)),

  update: rest(signedInAbout(UpdateAccount), 'PATCH /api/settings/v1/account', {
    summary: 'Update the account',
    description: 'Updates the given fields. Needs the role admin or higher.',
    accountFromContext: true,
  })
    .output(AccountRecord)
    .mutation(({ ctx, input }) => updateAccount(ctx, input)),

  /** Only owners of a program may call it. */
  create: signedIn()
    .input(CreateAccount)
    .output(AccountCreated)
    .mutation(({ ctx, input }) => createOwnAccount(ctx, input)),

  leave: signedInAbout(LeaveAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => leaveAccount(ctx, input)),

  delete: signedInAbout(DeleteAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => scheduleDeletion(ctx, input)),

  removeExample: signedInAbout(RemoveExample)
    .output(ExampleRemoved)
    .mutation(({ ctx, input }) => removeExample(ctx, input)),

  /** Only owners may call it. */
  requireSecondFactor: signedInAbout(RequireSecondFactor)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => requireSecondFactor(ctx, input)),

  restore: signedInAbout(RestoreAccount)
    .output(SessionRecord)
    .mutation(({ ctx, input }) => restoreAccount(ctx, input)),
});

/**
 * Procedures of the page Settings > Audit log (docs/rules/identity.md#audit-log). Requires the permission to read connectors.
 */
export const auditLogRouter = router({
  list: rest(read('connectors'), 'GET /api/settings/v1/audit_log', {
    summary: 'List the entries of the audit log',
    description: 'Returns the entries of the last 400 days, newest first.',
  })
    .input(ListAuditLog)
    .output(AuditLogPage)
    .query(({ ctx, input }) => listAuditLog(ctx, input)),

  /** Used by the pages. Not part of the REST API. */
  browse: read('connectors')
    .input(BrowseAuditLog)
    .output(DescribedAuditEntries)
    .query(({ ctx, input }) => describeAuditLog(ctx, input)),
});
