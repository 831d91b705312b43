import { PROCEDURES } from '@affiliate/core';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type ToolDefinition, defineTool } from './define-tool.ts';

type ActionDefinition = ToolDefinition['actions'][string];

const toolOf = (actions: ToolDefinition['actions']) =>
  defineTool({ name: 'tool', title: 'Tool', toolset: 'program', description: '', actions });

describe('a tool', () => {
  it('declares effects for its writes and none for its reads', () => {
    const { actions } = toolOf({
      list: { procedure: 'links.list', columns: ['id'] },
      archive: { procedure: 'links.archive', destructive: true, idempotent: true },
    });
    expect(actions.map(({ effects }) => effects)).toEqual([null, { destructive: true, idempotent: true }]);
  });

  // The type check evaluates these expectations.
  it('can have a write as an action only if the write declares both effects', () => {
    expectTypeOf<{ procedure: 'links.archive'; destructive: true; idempotent: true }>().toExtend<ActionDefinition>();
    expectTypeOf<{ procedure: 'links.archive'; destructive: true }>().not.toExtend<ActionDefinition>();
    expectTypeOf<{ procedure: 'links.archive'; idempotent: true }>().not.toExtend<ActionDefinition>();
    expectTypeOf<'links.archive'>().not.toExtend<ActionDefinition>();
  });

  it('rejects an unknown field and a procedure without a result', () => {
    expect(() => toolOf({ get: { procedure: 'links.get', takes: ['nothing'] } })).toThrow('links.get has no field nothing');
    const remove = { procedure: 'members.remove', destructive: true, idempotent: true } as const;
    expect(() => toolOf({ remove })).toThrow('members.remove returns nothing');
  });

  it('needs columns for a list, which its records have, and notes for its own arguments', () => {
    expect(() => toolOf({ list: 'links.list' })).toThrow('links.list is a list and needs columns');
    expect(() => toolOf({ list: { procedure: 'links.list', columns: ['id', 'nothing'] } })).toThrow(
      'links.list has no field nothing',
    );
    expect(() => toolOf({ get: { procedure: 'links.get', columns: ['id'] } })).toThrow('links.get has no field id');
    const stray = { name: 'tool', title: 'Tool', toolset: 'program', description: '', notes: { nothing: '' } } as const;
    expect(() => defineTool({ ...stray, actions: { get: 'links.get' } })).toThrow('tool has no argument nothing');
  });

  it('needs the permissions of every read beside the result', () => {
    const beside = { timeline: { procedure: 'commissions.timeline', input: () => ({}) } } as const;
    const { actions } = toolOf({ get: { procedure: 'links.get', beside } });
    expect(actions[0]!.access.map(({ resource }) => resource)).toEqual(['links', 'commissions']);
  });

  it.each(PROCEDURES.filter(({ meta }) => !meta.access))('refuses $path, because it needs no permission', ({ path, type }) => {
    const effects = type === 'mutation' ? { destructive: true, idempotent: true } : {};
    const actions = { call: { procedure: path, ...effects } } as ToolDefinition['actions'];
    expect(() => toolOf(actions)).toThrow(`${path} declares no permission`);
  });
});
