/** Payments of stories that another source tells than the payment provider: the orders of the toy shop. */
import { at, type Buyer, instantOf, namesOf } from './story-events.ts';
import type { Fact } from './story-facts.ts';
import type { ToyOrder } from './toy_source/toy-source.ts';

type OrderFact = Extract<Fact, { kind: 'order' }>;

/**
 * Returns a story of which the toy shop tells about half of the payments that the merchant does not report, too. A story in which a person enters the
 * address stays as it is: an order has the address, and the person is refused once another affiliate has the customer.
 */
export function withSecondSource(story: readonly Fact[], random: () => number): Fact[] {
  if (story.some((fact) => fact.kind === 'moment' && 'address' in fact)) return [...story];
  const isReported = (place: number) => story.some((fact) => fact.kind === 'report' && fact.same === place);
  return story.map((fact, place): Fact => {
    if (fact.kind !== 'purchase' && fact.kind !== 'renewal' && fact.kind !== 'payment') return fact;
    if (isReported(place) || random() < 0.5) return fact;
    const { day, known = 'both', link, visit, off, code, amount, tax, lines, refunded, refundedProduct, creditNoteTax } = fact;
    const { dispute } = fact;
    return {
      kind: 'order',
      day,
      known: known === 'email' || known === 'nobody' ? known : 'both',
      ...(link && { link }),
      ...(visit !== undefined && { visit }),
      ...(off && { off }),
      ...(code && { code }),
      amount,
      ...(tax !== undefined && { tax }),
      ...(lines && { lines }),
      ...(refunded && { refunded }),
      ...(refundedProduct && { refundedProduct }),
      ...(creditNoteTax !== undefined && { creditNoteTax }),
      ...(dispute && { dispute }),
    };
  });
}

/** Returns the snapshots of an order in the order of their times: as it was paid, refunded, disputed, and after the dispute. */
export function snapshotsOf(
  fact: OrderFact,
  { number, buyer, referral, code }: { number: string; buyer: Buyer; referral: string | null; code: string | null },
): { second: number; order: ToyOrder }[] {
  const { day, amount, tax = 0, lines, refunded = 0, refundedProduct: product, creditNoteTax: taxCents, dispute } = fact;
  const { id, email } = namesOf(fact.known, buyer);
  const paid = {
    number,
    paidAt: instantOf(day),
    buyer: { id, email },
    cents: amount,
    taxCents: tax,
    currency: 'USD',
    ...(lines && { lines: lines.map((line) => ({ product: line.product, cents: line.cents })) }),
    ...(referral !== null && { reference: referral }),
    ...(code !== null && { code }),
  };
  const refund = {
    id: `re_${number}`,
    at: instantOf(day + 1),
    cents: refunded,
    ...(product && { product }),
    ...(taxCents !== undefined && { taxCents }),
  };
  const refunds = refunded > 0 ? { refunds: [refund] } : {};
  const disputed = (outcome: 'open' | 'won' | 'lost') => ({
    dispute: { id: `dp_${number}`, at: instantOf(day + 2), cents: dispute!.amount, outcome },
  });
  const last = dispute?.end === 'won and lost' ? 'lost' : dispute?.end;
  const states: { after: number; more: Partial<ToyOrder> }[] = [
    { after: 0, more: {} },
    ...(refunded > 0 ? [{ after: 1, more: refunds }] : []),
    ...(last === undefined ? [] : [{ after: 2, more: { ...refunds, ...disputed('open') } }]),
    ...(last === undefined || last === 'open' ? [] : [{ after: 3, more: { ...refunds, ...disputed(last) } }]),
  ];
  return states.map(({ after, more }, i) => ({ second: at(day + after), order: { ...paid, ...more, version: i + 1 } }));
}
