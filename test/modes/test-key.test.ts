import { seed } from '../contract/seed.ts';
import { walkBetween } from '../contract/tenant-walk.ts';
import { newMember } from '../support/people.ts';
import { inMode } from './accounts.ts';

/** A key of test mode calls every procedure with ids of the live records of its own account. */
walkBetween(
  async (service) => {
    const account = await service.createAccount();
    const [live, test] = [await inMode(service, account, true), await inMode(service, account, false)];
    await seed(service, live, 'live');
    await newMember(service, account, 'admin');
    await seed(service, test);
    return { caller: test, stranger: live };
  },
  ['usr'],
);
