import { seed } from '../contract/seed.ts';
import { walkBetween } from '../contract/tenant-walk.ts';
import { newMember } from '../support/people.ts';
import { inMode } from './accounts.ts';

/** A key of one mode calls every procedure with ids of the records of the other mode of its own account. */
export function walkFromMode(caller: 'live' | 'test'): void {
  walkBetween(
    async (service) => {
      const account = await service.createAccount();
      const [live, test] = [await inMode(service, account, true), await inMode(service, account, false)];
      await seed(service, live, 'live');
      await newMember(service, account, 'admin');
      await seed(service, test);
      return caller === 'live' ? { caller: live, stranger: test } : { caller: test, stranger: live };
    },
    ['usr'],
  );
}
