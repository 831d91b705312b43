import { z } from 'zod';
import type { JsonRequest } from '../../../platform/operations/ask-json.ts';
import type { ProviderMode } from '../../../sources/port/port.ts';
import { isUncertain, parsedBy, requestOf, withoutAddresses } from '../../port/rail-request.ts';
import { type Credentials, RailError } from '../../port/rail.ts';
import { PAYOUT_REASONS } from '../../port/reasons.ts';

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

export class WiseRefusal extends RailError {
  readonly httpStatus: number;

  constructor(status: number, told: z.infer<typeof Refusal>, retryAfter: number | null) {
    const [fault] = told.errors;
    const words = withoutAddresses(fault?.message ?? told.message);
    super({
      said: words === '' ? PAYOUT_REASONS.rail_refused({ rail: 'Wise', status }) : PAYOUT_REASONS.rail_said({ words }),
      outcomeUnknown: isUncertain(status),
      word: fault?.code || told.code || told.errorCode || told.error || `HTTP_${status}`,
      stopsRail: status === 401 || status === 403,
      retryAfter,
    });
    this.httpStatus = status;
  }

  /** True for a refusal of the content, which is refused however often it is sent. */
  get isOfContent(): boolean {
    return this.httpStatus === 400 || this.httpStatus === 422;
  }

  /** The same refusal, if it says for certain that nothing was done (false), or nothing about it (true). */
  as({ outcomeUnknown }: { outcomeUnknown: boolean }): RailError {
    const { said, word, stopsRail, retryAfter } = this;
    return new RailError({ said, word, stopsRail, retryAfter, outcomeUnknown });
  }
}

/** Requests to Wise. None is repeated here. */
export class WiseClient {
  readonly #options: WiseOptions;

  constructor(options: WiseOptions) {
    this.#options = options;
  }

  /** Calls Wise, and returns the part of the answer that a schema describes. Throws RailError. */
  async call<Schema extends z.ZodType>(
    method: NonNullable<JsonRequest['method']>,
    path: string,
    { mode, credentials }: { mode: ProviderMode; credentials: Credentials },
    schema: Schema,
    body?: unknown,
  ): Promise<z.infer<Schema>> {
    const { base, timeoutMs } = this.#options;
    const host = base === undefined ? HOSTS[mode] : `${base}${mode === 'test' ? '/sandbox' : ''}`;
    const headers = { Authorization: `Bearer ${credentials['api_token']}` };
    const { status, isOk, value, retryAfter } = await requestOf('Wise', host + path, { method, headers, body, timeoutMs });
    if (!isOk) throw new WiseRefusal(status, Refusal.parse(value), retryAfter);
    return parsedBy('Wise', schema, value);
  }
}
