import { apiKeysRouter } from './api-keys/api-key.router.ts';
import { campaignsRouter } from './campaigns/campaign.router.ts';
import { router } from './trpc.ts';

/** Every operation of the service. */
export const appRouter = router({
  apiKeys: apiKeysRouter,
  campaigns: campaignsRouter,
});
export type AppRouter = typeof appRouter;
