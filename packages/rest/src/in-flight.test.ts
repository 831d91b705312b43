import fc from 'fast-check';
import { expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';

it('has exactly the items that were added and not removed, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (steps) => {
      const underWay = new InFlight<number>();
      const removes: { item: number; remove: () => void }[] = [];
      steps.forEach((step, item) => {
        const [removed] = step < removes.length ? removes.splice(step, 1) : [];
        if (removed === undefined) removes.push({ item, remove: underWay.add(item) });
        else {
          removed.remove();
          removed.remove();
        }
        expect(new Set(underWay.items)).toEqual(new Set(removes.map((each) => each.item)));
        expect(underWay.items).toHaveLength(removes.length);
      });
    }),
  );
});
