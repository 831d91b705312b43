import { ERRORS, ERROR_DETAILS, PROCEDURES, type Procedure } from '@affiliate/core';
import { z } from 'zod';
import { type Schema, comment, declaration, typeText } from './type-text.ts';

/**
 * Returns the declarations of `AppRouter`, `ErrorCode` and `ErrorDetails` for the packed client, made from the schemas of the procedures. A schema with
 * an id is an interface with this name. TypeScript's own declarations would need the types of the service.
 */
export function clientTypes(): string {
  const records = new Records();
  const rooms = Map.groupBy(PROCEDURES.filter(isForPrograms), ({ path }) => path.split('.')[0]!);
  const routers = [...rooms].map(
    ([room, procedures]) => `${room}: Room<{\n${procedures.map((each) => entry(each, records)).join('')}}>;\n`,
  );
  const details = Object.keys(ERRORS).map((code) => {
    const schema = ERROR_DETAILS[code as keyof typeof ERROR_DETAILS];
    const type = schema ? records.typeFor(schema, 'output') : null;
    return `${code}: ${code === 'VALIDATION_ERROR' ? type : [type, 'undefined'].filter(Boolean).join(' | ')};\n`;
  });
  return `${HEAD}
export interface ErrorDetails {
${details.join('')}}
export type AppRouter = TRPCBuiltRouter<Root, TRPCDecorateCreateRouterOptions<{
${routers.join('')}}>>;
${records.declarations()}`;
}

const HEAD = `import type {
  TRPCBuiltRouter,
  TRPCCreateRouterOptions,
  TRPCDecorateCreateRouterOptions,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
} from '@trpc/server';

export type ErrorCode = keyof ErrorDetails;
interface Root {
  ctx: object;
  meta: object;
  errorShape: { message: string; code: number; data: { error: string; code: ErrorCode; details?: unknown; httpStatus: number } };
  transformer: false;
}
type Query<Input, Output> = TRPCQueryProcedure<{ input: Input; output: Output; meta: object }>;
type Mutation<Input, Output> = TRPCMutationProcedure<{ input: Input; output: Output; meta: object }>;
type Room<Procedures extends TRPCCreateRouterOptions> = TRPCBuiltRouter<Root, TRPCDecorateCreateRouterOptions<Procedures>>;
`;

/**
 * True if a program with an API key can call the procedure. The others are for the service's own pages: they need a session, a portal link, or
 * the link of the first start.
 */
function isForPrograms({ meta: { access, audience, rest } }: Procedure): boolean {
  return access !== undefined || audience === 'account' || (audience === 'anyone' && rest !== undefined);
}

function entry({ path, type, passing, meta, input, output }: Procedure, records: Records): string {
  const taken = passing === 'none' ? 'void' : `${records.typeFor(input, 'input')}${passing === 'optional' ? ' | undefined' : ''}`;
  const kind = type === 'query' ? 'Query' : 'Mutation';
  return `${comment(meta.openapi?.summary)}${path.split('.')[1]!}: ${kind}<${taken}, ${records.typeFor(output, 'output')}>;\n`;
}

type Io = 'input' | 'output';

/** The schemas with ids, as inputs and as outputs, which may differ: an output has the fields for which an input may leave the default. */
class Records {
  readonly #declared = new Map<string, string>();

  /** Returns the type of the values of a schema, and declares the schemas with ids in it. */
  typeFor(zodType: z.ZodType, io: Io): string {
    if (zodType instanceof z.ZodVoid) return 'void';
    const { $defs = {}, ...schema } = z.toJSONSchema(zodType, { io, unrepresentable: 'any' }) as Schema & {
      $defs?: Record<string, Schema>;
    };
    const nameOf = (id: string) => (io === 'input' ? `${id}Input` : id);
    for (const [id, each] of Object.entries($defs))
      if (!this.#declared.has(nameOf(id))) this.#declared.set(nameOf(id), declaration(nameOf(id), each, nameOf));
    return typeText(schema, nameOf);
  }

  declarations(): string {
    return [...this.#declared.values()].join('');
  }
}
