import { describe, expect, it } from 'vitest';
import { reasons } from '../texts/reason.ts';
import { Constraints, LostRace } from './constraints.ts';

const REASONS = reasons({
  slug: { en: 'Another campaign has this slug', de: 'Eine andere Kampagne hat diesen Namen' },
  race: { en: 'Try again.', de: 'Noch einmal.' },
  bound: { en: 'Bound to another referral', de: 'Gehört zu einer anderen Empfehlung' },
});

const constraints = new Constraints(
  [
    { campaign_slug: { field: 'slug', message: REASONS.slug } },
    {
      campaign_one_default: { message: REASONS.race },
      referral_customer: { field: 'customer_email', message: REASONS.bound, retry: true },
    },
  ],
  ['sale_customer_id_fkey'],
);

/** Returns a PostgreSQL error as the ORM wraps it. */
function violationOf(constraint: string, code = '23505'): Error {
  return new Error('The statement failed', { cause: Object.assign(new Error('duplicate key'), { code, constraint }) });
}

describe('a violation of the unique index', () => {
  it.each([
    ['campaign_slug', false, { code: 'VALIDATION_ERROR', details: [{ path: 'slug', code: 'taken' }] }],
    ['campaign_one_default', false, { code: 'CONFLICT', message: 'Try again.' }],
    ['referral_customer', true, { code: 'VALIDATION_ERROR', details: [{ path: 'customer_email', code: 'taken' }] }],
    ['declared_nowhere', true, { code: 'CONFLICT' }],
  ])('%s is retried (%s) and translated into the declared error', (constraint, retried, expected) => {
    expect(constraints.isTransient(violationOf(constraint))).toBe(retried);
    expect(constraints.translate(violationOf(constraint))).toMatchObject(expected);
  });
});

describe('another error', () => {
  it.each(['40P01', '40001'])('%s is retried and not translated', (code) => {
    const error = violationOf('', code);
    expect(constraints.isTransient(error)).toBe(true);
    expect(constraints.translate(error)).toBe(error);
  });

  it.each([
    ['thrown', new LostRace()],
    ['wrapped by a library', new Error('The procedure failed', { cause: new LostRace() })],
  ])('that is a lost race (%s) is retried and becomes a conflict', (_how, error) => {
    expect(constraints.isTransient(error)).toBe(true);
    expect(constraints.translate(error)).toMatchObject({ code: 'CONFLICT' });
  });

  it('about a foreign key to rows that may be deleted concurrently is retried and becomes a conflict', () => {
    const error = violationOf('sale_customer_id_fkey', '23503');
    expect(constraints.isTransient(error)).toBe(true);
    expect(constraints.translate(error)).toMatchObject({ code: 'CONFLICT' });
  });

  it('about any other foreign key is neither retried nor translated', () => {
    const error = violationOf('campaign_slug', '23503');
    expect(constraints.isTransient(error)).toBe(false);
    expect(constraints.translate(error)).toBe(error);
  });
});

it('a second declaration of the same index is refused', () => {
  const twice = { campaign_slug: { message: REASONS.race } };
  expect(() => new Constraints([twice, twice])).toThrow('declared twice');
});
