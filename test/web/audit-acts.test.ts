import { PROCEDURES } from '@affiliate/core';
import { expect, test } from 'vitest';
import { TOOLS } from '../../packages/mcp/src/tools/index.ts';

type ActOf = (entry: { tool: string; action: string; arguments: unknown }) => string | null;

// Imported by its path, because the types of the pages need a browser.
const path = '../../packages/web/src/audit-log/acts.ts';
const { actOf } = (await import(path)) as { actOf: ActOf };

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

test('every write that the audit log records has a sentence', () => {
  const ofMembers = PROCEDURES.filter(({ type, meta }) => type === 'mutation' && meta.access).map(({ path }) =>
    path.split('.').map(snakeCase),
  );
  const ofAssistants = TOOLS.flatMap(({ name, actions }) =>
    actions.filter(({ effects }) => effects).map((action) => [name, action.name]),
  );
  const writes = [...ofMembers, ...ofAssistants];
  expect(writes.length).toBeGreaterThan(100);
  expect(writes.filter(([tool, action]) => actOf({ tool: tool!, action: action!, arguments: {} }) === null)).toEqual([]);
});

test('a decision is named', () => {
  const act = (action: string, given: object) => actOf({ tool: 'commissions', action, arguments: given });
  expect([act('review', { review_action: 'approve' }), act('review', { review_action: 'suspicious' })]).toEqual([
    'Approved a commission',
    'Flagged a commission',
  ]);
  expect(actOf({ tool: 'manage_payouts', action: 'return', arguments: {} })).toBe('Marked a payout as returned');
  expect(actOf({ tool: 'something', action: 'else', arguments: {} })).toBeNull();
});
