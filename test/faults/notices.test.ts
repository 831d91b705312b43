import { Notices } from '@affiliate/postgres';
import { expect, it } from 'vitest';
import { createEmptyDatabase } from '../support/postgres.ts';

it('a listener that is closed while it connects ends its session', async () => {
  const database = await createEmptyDatabase();
  const heard: string[] = [];
  const notices = new Notices({
    url: database.url,
    channel: 'ended_early',
    onNotice: () => undefined,
    onHeard: () => heard.push('heard'),
    onLost: () => heard.push('lost'),
  });
  const started = notices.start();
  await notices.close();
  await started;
  expect(heard).toEqual([]);
  await database.drop();
});
