import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainsLike, isSelfReferral, normalizeEmail } from './flag-commission.ts';

const letters = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);
const gmail = fc.constantFrom('gmail.com', 'googlemail.com', 'GMail.com');
const plusOnly = fc.constantFrom('outlook.com', 'icloud.com', 'proton.me', 'fastmail.com');
const plain = fc.constantFrom('example.com', 'shop.example', 'mail.gmail.com.example');

describe('a folded address', () => {
  it('does not change when it is folded again', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string().map((local) => `${local}@gmail.com`),
        ),
        (email) => {
          expect(normalizeEmail(normalizeEmail(email))).toBe(normalizeEmail(email));
        },
      ),
      // Without their dots, both names end with a space.
      { examples: [['. @gmail.com'], ['a .@gmail.com']] },
    );
  });

  it('ignores case, dots and plus parts at Gmail, under both of its domains', () => {
    fc.assert(
      fc.property(letters, letters, letters, gmail, gmail, (first, last, tag, domain, other) => {
        expect(normalizeEmail(`${first}.${last}+${tag}@${domain}`)).toBe(
          normalizeEmail(`${first.toUpperCase()}${last}@${other}`),
        );
      }),
    );
  });

  it('ignores plus parts, but not dots, at other providers with plus addressing', () => {
    fc.assert(
      fc.property(letters, letters, letters, plusOnly, (first, last, tag, domain) => {
        expect(normalizeEmail(`${first}${last}+${tag}@${domain}`)).toBe(normalizeEmail(`${first}${last}@${domain}`));
        expect(normalizeEmail(`${first}.${last}@${domain}`)).not.toBe(normalizeEmail(`${first}${last}@${domain}`));
      }),
    );
  });

  it('ignores only case at all other domains', () => {
    fc.assert(
      fc.property(letters, letters, plain, (local, tag, domain) => {
        expect(normalizeEmail(`${local.toUpperCase()}@${domain}`)).toBe(`${local}@${domain}`);
        expect(normalizeEmail(`${local}+${tag}@${domain}`)).toBe(`${local}+${tag}@${domain}`);
      }),
    );
  });

  it('differs for any two different names of letters', () => {
    fc.assert(
      fc.property(letters, letters, fc.oneof(gmail, plusOnly, plain), (one, two, domain) => {
        fc.pre(one !== two);
        expect(normalizeEmail(`${one}@${domain}`)).not.toBe(normalizeEmail(`${two}@${domain}`));
      }),
    );
  });

  it.each([
    ['me@icloud.com', 'me@mac.com', true],
    ['me@proton.me', 'me@pm.me', true],
    ['+tag@gmail.com', '+other@gmail.com', false],
    ['...@gmail.com', '@gmail.com', false],
    ['no-domain', 'no-domain', true],
  ])('%s and %s are the same mailbox: %s', (one, two, same) => {
    expect(normalizeEmail(one) === normalizeEmail(two)).toBe(same);
  });
});

describe('a self-referral', () => {
  it('is detected by the email address and the payout addresses of the affiliate', () => {
    expect(isSelfReferral(['ada@example.com'], ['ADA@example.com'])).toBe(true);
    expect(isSelfReferral(['ada@example.com', 'a.d.a@gmail.com'], ['ada+shop@googlemail.com'])).toBe(true);
    expect(isSelfReferral(['ada@example.com', 'pay@example.com'], ['pay@example.com'])).toBe(true);
    expect(isSelfReferral(['ada@example.com', 'pay@example.com'], ['grace@example.com'])).toBe(false);
    expect(isSelfReferral(['ada@example.com'], ['grace@example.com', 'ada@example.com'])).toBe(true);
    expect(isSelfReferral(['ada@example.com'], [])).toBe(false);
  });
});

it('the domains like that of an address are all under which it may be the same mailbox', () => {
  expect(domainsLike('ada@googlemail.com')).toEqual(['gmail.com', 'googlemail.com']);
  expect(domainsLike('ada@mac.com').toSorted()).toEqual(['icloud.com', 'mac.com', 'me.com']);
  expect(domainsLike('ada@hey.com')).toEqual(['hey.com']);
  expect(domainsLike('ada@EXAMPLE.com')).toEqual(['example.com']);
});
