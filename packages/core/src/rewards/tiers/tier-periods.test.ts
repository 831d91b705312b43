import { describe, expect, it } from 'vitest';
import { type TierPeriod, tierPeriods, tiersIn, turningPoints } from './tier-periods.ts';

const at = (day: string) => `${day}T00:00:00.000Z`;
const period = (tier_id: string, since: string, until: string | null = null): TierPeriod => ({
  tier_id,
  since: at(since),
  until: until && at(until),
});

describe('turning points', () => {
  it('are the starts of months, and the times at which tiers begin and end', () => {
    const tiers = [
      { created_at: at('2028-01-10'), ended_at: null },
      { created_at: at('2028-02-03'), ended_at: at('2028-03-20') },
    ];
    expect(turningPoints(tiers, { from: at('2028-01-10'), until: at('2028-03-15') })).toEqual(
      ['2028-01-10', '2028-02-01', '2028-02-03', '2028-03-01'].map(at),
    );
  });
});

describe('the last turning point', () => {
  it('may be the end itself, and what happened before the beginning is none', () => {
    const tiers = [{ created_at: at('2028-01-01'), ended_at: at('2028-03-01') }];
    const until = at('2028-03-01');
    expect(turningPoints(tiers, { from: at('2028-01-10'), until })).toEqual(['2028-01-10', '2028-02-01', '2028-03-01'].map(at));
    expect(turningPoints([], { from: at('2028-02-10'), until })).toEqual(['2028-02-10', '2028-03-01'].map(at));
    const ended = [{ created_at: at('2028-01-01'), ended_at: at('2028-02-15') }];
    expect(turningPoints(ended, { from: at('2028-02-10'), until: at('2028-02-15') })).toEqual(
      ['2028-02-10', '2028-02-15'].map(at),
    );
    expect(turningPoints(ended, { from: at('2028-02-20'), until: at('2028-02-21') })).toEqual([at('2028-02-20')]);
  });
});

describe('periods of tiers', () => {
  const known = [period('gold', '2028-01-01', '2028-02-01'), period('silver', '2028-01-01')];

  it('go on while the tier is reached, and end when it is not', () => {
    const reached = [
      { at: at('2028-03-01'), tiers: ['silver', 'gold'] },
      { at: at('2028-04-01'), tiers: ['gold'] },
    ];
    const periods = tierPeriods(known, reached);
    expect(periods).toEqual([
      period('gold', '2028-01-01', '2028-02-01'),
      period('silver', '2028-01-01', '2028-04-01'),
      period('gold', '2028-03-01'),
    ]);
    expect([tiersIn(periods, at('2028-03-31')), tiersIn(periods, at('2028-04-01'))]).toEqual([['gold', 'silver'], ['gold']]);
  });

  it('include their first moment, and not their end', () => {
    expect(['2027-12-31', '2028-01-01', '2028-02-01'].map((day) => tiersIn(known, at(day)))).toEqual([
      [],
      ['gold', 'silver'],
      ['silver'],
    ]);
  });

  it('are corrected from the first time on', () => {
    expect(tierPeriods(known, [{ at: at('2028-02-01'), tiers: ['gold'] }])).toEqual([
      period('gold', '2028-01-01'),
      period('silver', '2028-01-01', '2028-02-01'),
    ]);
    expect(tierPeriods(known, [{ at: at('2028-01-01'), tiers: [] }])).toEqual([]);
  });

  it('are the same whether they are determined at once or month by month', () => {
    const reached = ['2028-01-01', '2028-02-01', '2028-03-01', '2028-04-01'].map((day, i) => ({
      at: at(day),
      tiers: [['a'], ['a', 'b'], ['b'], ['a', 'b']][i]!,
    }));
    const stepwise = reached.reduce<TierPeriod[]>((periods, each) => tierPeriods(periods, [each]), []);
    expect(stepwise).toEqual(tierPeriods([], reached));
  });
});
