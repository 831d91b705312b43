import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { DomainError, untranslated, validationError, zodDetails } from '../../platform/errors/errors.ts';
import { assertStorable } from '../../platform/wire/text-safety.ts';
import type { Codes } from '../port/capabilities.ts';
import type { CompletionScope, Delivery, Source, SourceAccess, Trust } from '../port/port.ts';
import { MalformedPspEventError, PspError } from '../port/psp-error.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';
import { publicKeyOf, secretKeyOf, verifyStandardWebhook } from '../port/standard-webhooks.ts';
import { Fact, FactBatch, OneFact } from './fact.schema.ts';
import { type FactEvent, FACTS, findToldCodes, payerOf, tellFact } from './tell-fact.ts';

const SECRET_BYTES = 32;

/** The merchant's own server, which signs facts. It has no API, so that nothing is read from it. */
export class FactsSource implements Source<FactEvent> {
  readonly kind = FACTS;
  readonly name = 'Signed facts';
  readonly eventTypes = ['payment.seen', 'customer.seen', 'code.seen'];
  readonly namingLine = '{ …, "references": [{ "value": referralId, "at": time }] }';
  readonly fields = [];
  readonly statesMode = true;
  readonly tell = tellFact;

  /** Every connection is a server of its own. */
  connect() {
    const id = `facts_${randomUUID()}`;
    return Promise.resolve({ mode: null, account: { id, name: null, country: null, defaultCurrency: null } });
  }

  newSigningSecret(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }

  isSigningSecret(text: string): boolean {
    return secretKeyOf(text) !== null || publicKeyOf(text) !== null;
  }

  open(_credentials: string, _settings: unknown, scope: CompletionScope): SourceAccess<FactEvent> {
    return {
      account: () => Promise.reject(new PspError({ reason: 'rejected', said: SOURCE_REASONS.facts_have_no_account })),
      complete: (_, event) => Promise.resolve(event),
      since: async function* () {},
      ensureEndpoint: () => Promise.resolve(false),
      codes: codesOf(scope),
    };
  }

  verify(delivery: Delivery, secrets: readonly string[], now: Date): Promise<Trust> {
    const v1 = secrets.flatMap((secret) => secretKeyOf(secret) ?? []);
    const v1a = secrets.flatMap((secret) => publicKeyOf(secret) ?? []);
    return verifyStandardWebhook(delivery, { v1, v1a }, now);
  }

  split(body: string): { payloads: string[]; isTrial: boolean } {
    let told: unknown;
    try {
      told = JSON.parse(body);
    } catch {
      throw new MalformedPspEventError('The body is not JSON');
    }
    storable(told);
    if (typeof told === 'object' && told !== null && 'facts' in told) {
      const { facts, dry_run } = parsed(FactBatch, told);
      return { payloads: facts.map((fact) => JSON.stringify(fact)), isTrial: dry_run };
    }
    const { dry_run, ...fact } = parsed(OneFact, told);
    return { payloads: [JSON.stringify(fact)], isTrial: dry_run };
  }

  read(payload: string): FactEvent {
    const { fact_id: known, ...told } = JSON.parse(payload) as Record<string, unknown>;
    const fact = Fact.parse(told);
    const { type, timestamp, data } = fact;
    const digest = createHash('sha256')
      .update(JSON.stringify([type, data]))
      .digest('hex');
    // A stored fact keeps its id, also after a person has been erased from it.
    const id = typeof known === 'string' ? known : `fact_${digest.slice(0, 32)}`;
    return {
      id,
      type,
      occurredAt: new Date(timestamp),
      mode: data.live ? 'live' : 'test',
      isUnused: false,
      problem: null,
      payer: payerOf(fact),
      payload: { ...fact, fact_id: id },
      fact,
    };
  }

  withoutPayer(event: FactEvent): FactEvent {
    const { fact } = event;
    if (fact.type === 'code.seen') return event;
    const { email: _, name: __, ...payer } = fact.data.payer;
    const data = { ...fact.data, payer, ...(fact.type === 'customer.seen' && { former_email: null }) };
    return { ...event, fact: { ...fact, data } as Fact };
  }
}

/** Codes are made elsewhere. Those that were told can be assigned to affiliates. */
function codesOf(scope: CompletionScope): Codes {
  const refuse = () => Promise.reject(new PspError({ reason: 'rejected', said: SOURCE_REASONS.code_made_at_provider }));
  const missing = () => new PspError({ reason: 'not_found', said: SOURCE_REASONS.code_not_seen });
  return {
    isReadOnly: true,
    promotionCode: async (id) => (await findToldCodes(scope)).find((code) => code.id === id) ?? Promise.reject(missing()),
    promotionCodesByCode: async (text) =>
      (await findToldCodes(scope)).filter(({ code }) => code.toLowerCase() === text.toLowerCase()),
    createPromotionCode: refuse,
    setPromotionCodeActive: refuse,
    coupon: () => Promise.reject(missing()),
    validCoupons: () => Promise.resolve([]),
  };
}

/** Validates input. Throws VALIDATION_ERROR with JSON pointers as paths. */
function parsed<Schema extends typeof FactBatch | typeof OneFact>(schema: Schema, told: unknown): ReturnType<Schema['parse']> {
  const { data, error } = schema.safeParse(told);
  if (error) throw withPointers(validationError(zodDetails(error)));
  return data as ReturnType<Schema['parse']>;
}

function storable(told: unknown): void {
  try {
    assertStorable(told);
  } catch (error) {
    throw error instanceof DomainError ? withPointers(error) : error;
  }
}

function withPointers({ code, message, details }: DomainError): DomainError {
  const problems = details as { path: string; code: string; message: string }[];
  const pointed = problems.map((problem) => ({
    ...problem,
    path: problem.path && `/${problem.path.replaceAll('.', '/')}`,
    message: untranslated(problem.message),
  }));
  return new DomainError(code, untranslated(message), pointed);
}
