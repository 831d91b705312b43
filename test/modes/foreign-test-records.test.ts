import { seed, seededMerchant } from '../contract/seed.ts';
import { walkBetween } from '../contract/tenant-walk.ts';
import { newMember } from '../support/people.ts';
import { inMode } from './accounts.ts';

/** A key without a mode calls every procedure with ids of the records of test mode of another account. */
walkBetween(
  async (service) => {
    const other = await service.createAccount();
    const test = await inMode(service, other, false);
    await newMember(service, other, 'admin');
    await seed(service, test);
    return { caller: await seededMerchant(service), stranger: test };
  },
  ['usr'],
);
