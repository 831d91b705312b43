import { expect, it } from 'vitest';
import { stateOfApplicant } from './decide-applications.ts';

const rule = {
  approval: 'rule',
  approved_domains: ['school.example', 'good.mail.example'],
  rejected_domains: ['mail.example'],
} as const;

it.each([
  ['ada@school.example', 'active'],
  ['ada@CS.School.example', 'active'],
  ['ada@preschool.example', 'pending'],
  ['ada@mail.example', 'rejected'],
  ['ada@good.mail.example', 'active'],
  ['"a@school.example"@mail.example', 'rejected'],
  ['ada@example', 'pending'],
])('the rule decides for %s: %s', (email, state) => {
  expect(stateOfApplicant(rule, email)).toBe(state);
});

it.each([
  ['manual', 'pending'],
  ['automatic', 'active'],
] as const)('without a rule, %s approval makes every applicant %s', (approval, state) => {
  expect(stateOfApplicant({ ...rule, approval }, 'ada@mail.example')).toBe(state);
});
