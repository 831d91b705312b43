import { seededMerchant } from './seed.ts';
import { walkBetween } from './tenant-walk.ts';

walkBetween(async (service) => ({ caller: await seededMerchant(service), stranger: await seededMerchant(service) }));
