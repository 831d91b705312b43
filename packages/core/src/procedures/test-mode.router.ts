import { copyCampaigns } from '../intake/test-mode/copy-campaigns.ts';
import {
  AdvanceTestClock,
  advanceTestClock,
  CopiedCampaigns,
  CopyCampaigns,
  DeletedTestData,
  DeleteTestData,
  deleteTestData,
  getTestClock,
  TestClock,
} from '../intake/test-mode/test-mode.ts';
import { onceInTransaction, onceResumable } from '../platform/idempotency/idempotency.ts';
import { unlessDry } from '../platform/previews/confirm-effect.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router } from '../platform/trpc/trpc.ts';
import { PSP } from '../platform/wire/psp-name.ts';

/** Test mode: its clock and its data (docs/rules/platform.md#test-mode). */
export const testModeRouter = router({
  clock: rest(read('api_keys'), 'GET /api/settings/v1/test_clock', {
    summary: 'Retrieve the test clock',
    description: 'Only in test mode.',
    errors: ['CONFLICT'],
  })
    .output(TestClock)
    .query(({ ctx }) => getTestClock(ctx)),

  advanceClock: rest(operate('api_keys', AdvanceTestClock), 'POST /api/settings/v1/test_clock/advance', {
    summary: 'Move the test clock forward',
    description:
      'Only in test mode. Moves the dates of all test records closer: commissions fall due, referrals and invitations expire, and webhook deliveries are attempted again.',
    errors: ['CONFLICT'],
  })
    .output(TestClock)
    .mutation(({ ctx, input }) => advanceTestClock(ctx, input)),

  copyCampaigns: rest(operate('campaigns', CopyCampaigns), 'POST /api/settings/v1/test_data/copy_campaigns', {
    summary: 'Copy campaigns from live mode',
    description:
      'Only in test mode, for members and keys without a mode. Copies the live campaigns that are not archived, with their tiers and the reward rules that are not for one affiliate or link. Campaigns whose slug or `external_id` test mode already has are left as they are, so that repeating the call changes nothing. Later changes of live campaigns are not copied. With `dry_run`, previews the copy.',
    errors: ['CONFLICT'],
  })
    .output(CopiedCampaigns)
    .mutation(({ ctx, input }) => onceInTransaction(unlessDry(ctx, input.dry_run), ctx.request, copyCampaigns)),

  deleteData: rest(operate('api_keys', DeleteTestData), 'POST /api/settings/v1/test_data/delete', {
    summary: 'Delete all test data',
    description: `Only in test mode. Deletes all records of test mode for good, and sets the test clock back. Keeps API keys, webhook endpoints, the connection to ${PSP} and other settings. Live records are not touched.`,
    errors: ['CONFLICT'],
  })
    .output(DeletedTestData)
    .mutation(({ ctx }) => onceResumable(ctx, ctx.request, () => deleteTestData(ctx))),
});
