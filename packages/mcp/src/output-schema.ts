import { z } from 'zod';
import type { Action } from './define-tool.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

const Event = z.object({ type: z.string(), data: z.unknown() });

/** What a tool returns as structured content: the procedure's own output, and around it what became of a write. */
export function outputSchema(actions: readonly Action[]): JsonSchema {
  const outputs = [...new Set(actions.map(({ procedure }) => procedure.output))];
  const result = outputs.length === 1 ? outputs[0]! : z.union(outputs);
  const hasWrites = actions.some(({ procedure }) => procedure.type === 'mutation');
  const reply = z.object({
    result,
    ...(hasWrites
      ? {
          dry_run: z.boolean().optional().describe('Of a write: true when this was a preview, and nothing has changed.'),
          events: z.array(Event).optional().describe('Of a preview: the webhook events that acting would emit.'),
          replayed: z.boolean().optional().describe('True when this is the remembered response to an earlier call.'),
        }
      : {}),
  });
  return jsonSchema(reply, 'output');
}
