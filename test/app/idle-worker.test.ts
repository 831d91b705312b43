import { type Services, retryPspEvents, sendDueMail, sweepDueCommissions } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { useAccount, useService } from '../support/suite.ts';

const texts: string[] = [];
const service = useService({ worker: {}, onStatement: ({ text }) => texts.push(text) });
useAccount(service, 'file');

/** Returns the statements of some work, without look-ups of keys and writes of the API log. */
async function sentDuring(work: () => Promise<unknown>): Promise<string[]> {
  texts.length = 0;
  await work();
  return texts.filter((text) => !text.includes('from "api_key"') && !text.includes('insert into api_request '));
}

/**
 * If a change makes an idle worker send fewer statements, lower the bounds. The worker looks for work that the time alone starts six times a minute,
 * for mail four times, and for the rest once.
 */
describe('an idle worker', () => {
  it.each<[string, (services: Services) => Promise<unknown>]>([
    ['commissions falling due', sweepDueCommissions],
    ['provider events', retryPspEvents],
    ['mail', sendDueMail],
  ])('looks for %s with one statement', async (_name, look) => {
    await service.worker!.sweepNow();
    expect(await sentDuring(() => look(service.services))).toEqual([expect.any(String)]);
  });

  it('looks for all of its work with at most 20 statements', async () => {
    await service.worker!.sweepNow();
    const sent = await sentDuring(() => service.worker!.sweepNow());
    expect(sent.length > 20 ? sent : []).toEqual([]);
  });
});
