import { texts } from '../catalogue.ts';

export const t = texts('timeline', {
  amount: 'Amount',
  first_click: 'First click',
  first_sale: 'First sale',
  joined: 'Joined',
  payout_paid: 'Payout paid',
  payout_returned: 'Payout returned',
  refund: 'Refund',
  timeline: 'Timeline',
  what: 'What happened',
  when: 'When',
});
