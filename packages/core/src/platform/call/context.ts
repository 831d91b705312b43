import type { Clock } from '../time/clock.ts';
import type { DomainError } from '../errors/errors.ts';
import type { PermissionMap, SessionRole, Surface } from '../access/permissions.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Database, Db, Em } from '../db/database.ts';
import type { Instant } from '../time/instant.ts';

/** What pino, and every logger like it, offers. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Tells workers, after a commit, that there is something to do. Losing one costs time, never work: a sweeper finds the rest. */
export interface WakeUps {
  deliveries(endpointIds: readonly string[]): void;
}

/**
 * Everything a process brings to its calls, made once by the composition root. Rooms add the ports they need (payment provider, mailer,
 * host resolver) beside the port's declaration, by merging into this interface.
 */
export interface Services {
  database: Database;
  clock: Clock;
  log: Logger;
  secrets: SecretBox;
  wakeUps: WakeUps;
  /** Address under which the service is reached from outside, without a slash at the end. */
  publicUrl: string;
}

/** Who calls, and for which account. */
export type Principal =
  | { kind: 'api_key'; id: string; account_id: string; permissions: PermissionMap; expires_at?: Instant | null }
  | { kind: 'connector'; id: string; account_id: string; permissions: PermissionMap; expires_at?: Instant | null }
  /** The service itself: sweeps, and events of the payment provider. */
  | { kind: 'system'; account_id: string }
  | { kind: 'session'; id: string; user_id: string; account_id: string; role: SessionRole };

/** A person who has signed in. */
export interface SignedIn {
  /** Of the session. */
  id: string;
  user_id: string;
}

/** A caller for whom no account could be found: nobody in particular, or someone who has signed in and is yet to choose or join one. */
export interface Visitor {
  kind: 'visitor';
  session: SignedIn | null;
  /** What they are told when they ask for something of an account. */
  refusal: DomainError;
}

/** What a call did, when it was only a preview: the transaction is rolled back, these remain. */
export interface Preview {
  events: { type: string; data: unknown }[];
}

/** What a door (REST, tRPC, MCP) hands to a procedure. */
export interface CallContext {
  services: Services;
  requestId: string;
  principal: Principal | Visitor;
  surface: Surface;
  /** Honoured by every mutation (docs/domain-rules.md#idempotency). */
  idempotencyKey?: string | undefined;
  /** Set to have a mutation done and rolled back. */
  preview?: Preview | undefined;
  /** What the procedure tells the door besides its output: another status than declared, and whether this is a replay. */
  reply: { status?: number; replayed?: boolean };
}

/** What a procedure's code sees. */
export interface Ctx extends CallContext {
  principal: Principal;
  accountId: string;
  clock: Clock;
  /** The time of this call: one value throughout, so that records changed together agree. */
  now: Instant;
  /** Reads; in a mutation, through its transaction. */
  db: Db;
}

/** What a mutation's code sees. */
export interface WriteCtx extends Ctx {
  em: Em;
  /** Runs once the transaction has committed; not at all when it is rolled back. */
  afterCommit: (work: () => void) => void;
}

/** What a procedure sees that concerns a person rather than an account. */
export interface PersonCtx {
  services: Services;
  requestId: string;
  session: SignedIn;
}

/** What a procedure sees that anyone may call. */
export type PublicCtx = Omit<PersonCtx, 'session'> & { session: SignedIn | null };
