import { z } from 'zod';
import type { Action } from './define-tool.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

const Event = z.object({ type: z.string(), data: z.unknown() });

/** Structured content of a tool: the procedure's output and the outcome of a write. */
export function outputSchema(actions: readonly Action[]): JsonSchema {
  const outputs = [...new Set(actions.map(({ procedure }) => procedure.output))];
  const result = outputs.length === 1 ? outputs[0]! : z.union(outputs);
  const hasWrites = actions.some(({ procedure }) => procedure.type === 'mutation');
  const reply = z.object({
    result,
    ...(hasWrites
      ? {
          dry_run: z.boolean().optional().describe('Writes only: true if this is a preview and nothing changed.'),
          events: z.array(Event).optional().describe('Previews only: webhook events that the write would emit.'),
          replayed: z.boolean().optional().describe('True if this is the stored response of an earlier call.'),
        }
      : {}),
  });
  return jsonSchema(reply, 'output');
}
