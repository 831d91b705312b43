import { randomBytes } from 'node:crypto';
import { type Role, createMember } from '@affiliate/core';
import { Browser } from './browser.ts';
import type { TestAccount, TestService } from './service.ts';

export interface Person {
  id: string;
  email: string;
  password: string;
  /** A signed-in browser. */
  browser: Browser;
}

/** All members have this password, because hashing each new password takes time (passwords.ts). Owners have other passwords. */
export const MEMBER_PASSWORD = 'the password of a member';

/** Creates a member of an account, and signs in. */
export async function newMember(service: TestService, account: Pick<TestAccount, 'id'>, role: Role): Promise<Person> {
  const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
  const id = await createMember(service.services, { accountId: account.id, email, password: MEMBER_PASSWORD, role });
  return { id, email, password: MEMBER_PASSWORD, browser: await signedIn(service, email, MEMBER_PASSWORD) };
}

/** Signs in as the account's first owner. */
export async function ownerOf(service: TestService, account: TestAccount): Promise<Person> {
  const { ownerId: id, ownerEmail: email, ownerPassword: password } = account;
  return { id, email, password, browser: await signedIn(service, email, password) };
}

export async function signedIn(service: TestService, email: string, password: string): Promise<Browser> {
  const browser = new Browser(service.url, service.services.publicUrl);
  const { status } = await browser.signIn(email, password);
  if (status !== 200) throw new Error(`Signing in as ${email} failed with status ${status}`);
  return browser;
}
