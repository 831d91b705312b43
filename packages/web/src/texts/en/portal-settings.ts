import { params, texts } from '../catalogue.ts';

export const t = texts('portal-settings', {
  addQuestion: 'Add question',
  approvedDomains: 'Approve addresses of these domains',
  byRule: 'Are decided by the domain of their e-mail address',
  choices: 'Choices, one per line',
  domainsExplained: 'One per line, e.g. school.example. Subdomains belong to them.',
  embedOrigins: 'Sites that may show the portal',
  embedOriginsExplained: 'One per line, e.g. https://app.example.com.',
  kind: 'Answer',
  kindChoice: 'A choice',
  kindText: 'Text',
  kindUrl: 'A web address',
  question: params('Question {number}'),
  questions: 'Questions for applicants',
  rejectedDomains: 'Reject addresses of these domains',
  remove: params('Remove question {number}'),
  required: 'Must be answered',
});
