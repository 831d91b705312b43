import { tellOfTerms } from '@affiliate/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendAllMail } from '../support/mailbox.ts';
import { newMember } from '../support/people.ts';
import { program } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { PortalVisitor } from './people.ts';

const service = useService();
const account = useAccount(service, 'file');

beforeAll(async () => {
  await program(account, {}, { email: 'ada@partner.example' });
  await PortalVisitor.enter(service, account, 'ada@partner.example');
});

describe('the texts of an email', () => {
  const texts = { mail: 'terms_changed', subject: 'Hello from {{account_name}}', body: 'One.\n\nTwo <b>bold</b>.' } as const;

  it('are the account’s own texts until these are reset', async () => {
    const { list, update, reset, preview } = account.client.emailTexts;
    const stored = async () => (await list.query()).data.find(({ mail }) => mail === 'terms_changed');
    const original = await stored();
    expect(original).toMatchObject({ is_default: true, placeholders: ['account_name', 'date', 'summary', 'changes'] });
    await update.mutate(texts);
    expect(await stored()).toMatchObject({ ...texts, is_default: false });
    const shown = await preview.mutate(texts);
    expect(shown).toMatchObject({
      subject: 'Hello from Test account',
      text: expect.stringMatching(/^One\.\n\nTwo <b>bold<\/b>\./),
    });
    expect(shown.html).toContain('<p>Two &lt;b&gt;bold&lt;/b&gt;.</p>');
    const longest = 'ä '.repeat(2_500).trim().padEnd(5_000, '.');
    const path = `${service.url}/trpc/emailTexts.preview?batch=1`;
    const headers = { ...account.api.headers, 'X-Account-Id': account.id, 'Content-Type': 'application/json' };
    const batch = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ 0: { ...texts, body: longest } }) });
    expect(await batch.json()).toMatchObject([{ result: { data: { text: expect.stringContaining(longest) } } }]);
    service.clock.advance(1, 'minutes');
    await account.client.portalSettings.update.mutate({ terms: 'Fourth.' });
    await tellOfTerms(service.services, () => false);
    await sendAllMail(service.services);
    expect(service.mailbox.takeAll('ada@partner.example', /^Hello from Test account$/)).toHaveLength(1);
    await reset.mutate({ mail: 'terms_changed' });
    expect(await stored()).toEqual(original);
  });

  it('are the account’s texts in the reader’s language, otherwise its English texts, otherwise the default texts', async () => {
    const { update, reset } = account.client.emailTexts;
    const { browser, email } = await newMember(service, account, 'owner');
    const received = async () => {
      const input = { mail: 'terms_changed', language: 'de' };
      await browser.mutate('emailTexts.sendTest', input, { 'X-Account-Id': account.id });
      const { subject, html } = await service.mailbox.take(email, /Test account/);
      return [subject, /<html lang="(\w+)">/.exec(html)![1]];
    };
    expect(await received()).toEqual(['Die Bedingungen von Test account haben sich geändert', 'de']);
    await update.mutate(texts);
    expect(await received()).toEqual(['Hello from Test account', 'en']);
    const german = { ...texts, language: 'de', subject: 'Hallo von {{account_name}}' } as const;
    expect(await update.mutate(german)).toMatchObject({ ...german, is_default: false });
    expect(await received()).toEqual(['Hallo von Test account', 'de']);
    await reset.mutate({ mail: 'terms_changed' });
    expect(await received()).toEqual(['Hallo von Test account', 'de']);
    expect(await reset.mutate({ mail: 'terms_changed', language: 'de' })).toMatchObject({ is_default: true });
    expect(await received()).toEqual(['Die Bedingungen von Test account haben sich geändert', 'de']);
  });

  it('can contain only placeholders of the email', async () => {
    await expect(account.client.emailTexts.update.mutate({ ...texts, body: 'You earned {{amount}}.' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('can be tested by an email to the member who requests it', async () => {
    await expect(account.client.emailTexts.sendTest.mutate({ mail: 'payout_paid' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const { browser, email } = await newMember(service, account, 'owner');
    const sent = await browser.mutate('emailTexts.sendTest', { mail: 'payout_paid' }, { 'X-Account-Id': account.id });
    expect(sent.body.result).toEqual({ data: { to: email } });
    expect((await service.mailbox.take(email, /Test account has paid your commissions/)).text).toContain('US$120.00');
  });
});
