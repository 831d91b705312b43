import { z } from 'zod';
import type { JsonRequest } from '../../../platform/operations/ask-json.ts';
import type { ProviderMode } from '../../../sources/port/port.ts';
import { parsedBy, type RailAnswer, RailRefusal, requestOf } from '../../port/rail-request.ts';
import type { Credentials } from '../../port/rail.ts';

export interface WiseOptions {
  /** Another server for the requests, such as a proxy. Those of the sandbox go to its path `/sandbox`. */
  base?: string | undefined;
  /** The key with which notices are signed, in PEM. Default: the keys of Wise and of its sandbox. */
  publicKey?: string | undefined;
  timeoutMs: number;
}

const HOSTS: Readonly<Record<ProviderMode, string>> = {
  live: 'https://api.wise.com',
  test: 'https://api.wise-sandbox.com',
};

/** The forms in which Wise names an error: one code, or a list of faults. */
const Refusal = z.object({
  code: z.string().optional().catch(undefined),
  errorCode: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  message: z.string().catch(''),
  errors: z.array(z.object({ code: z.string().catch(''), message: z.string().catch('') })).catch([]),
});

export class WiseRefusal extends RailRefusal {
  constructor(answer: RailAnswer) {
    const { code, errorCode, error, message, errors } = Refusal.parse(answer.value);
    const [fault] = errors;
    super('Wise', answer, {
      words: fault?.message ?? message,
      word: fault?.code || code || errorCode || error || '',
    });
  }

  /** True for a refusal of the content, which is refused however often it is sent. */
  get isOfContent(): boolean {
    return this.httpStatus === 400 || this.httpStatus === 422;
  }
}

/** Returns a function that calls Wise, and returns the part of the answer that a schema describes. It repeats nothing, and throws RailError. */
export function wiseCaller({ base, timeoutMs }: WiseOptions) {
  return async <Schema extends z.ZodType>(
    method: NonNullable<JsonRequest['method']>,
    path: string,
    { mode, credentials }: { mode: ProviderMode; credentials: Credentials },
    schema: Schema,
    body?: unknown,
  ): Promise<z.infer<Schema>> => {
    const host = base === undefined ? HOSTS[mode] : `${base}${mode === 'test' ? '/sandbox' : ''}`;
    const headers = { Authorization: `Bearer ${credentials['api_token']}` };
    const answer = await requestOf('Wise', host + path, { method, headers, body, timeoutMs });
    if (!answer.isOk) throw new WiseRefusal(answer);
    return parsedBy('Wise', schema, answer.value);
  };
}
