import type { Clock } from '../time/clock.ts';
import type { DomainError } from '../errors/errors.ts';
import type { PermissionMap, SessionRole, Surface } from '../access/permissions.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Database, Db, Em } from '../db/database.ts';
import type { Instant } from '../time/instant.ts';

/** The part of pino's interface that the core uses. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Tells workers after a commit that there is work. A lost wake-up only costs time: a sweeper finds the rest. */
export interface WakeUps {
  deliveries(endpointIds: readonly string[]): void;
}

/**
 * Dependencies of a process, created once by the composition root. Rooms add the ports they need (payment provider, mailer, host resolver)
 * beside the port's declaration, by merging into this interface.
 */
export interface Services {
  database: Database;
  clock: Clock;
  log: Logger;
  secrets: SecretBox;
  wakeUps: WakeUps;
  /** Public address of the service, without a trailing slash. */
  publicUrl: string;
  /** Days for which clicks are kept; 400 unless given. */
  clickRetentionDays?: number | undefined;
}

/** The caller, and the account that the call is for. */
export type Principal =
  | { kind: 'api_key'; id: string; account_id: string; permissions: PermissionMap; expires_at?: Instant | null }
  | { kind: 'connector'; id: string; account_id: string; permissions: PermissionMap; expires_at?: Instant | null }
  /** The service itself, for sweeps and for events of the payment provider. */
  | { kind: 'system'; account_id: string }
  | { kind: 'session'; id: string; user_id: string; account_id: string; role: SessionRole }
  /** An affiliate in the portal. Only procedures for affiliates create it (`portal/access`); it holds no permission of the program. */
  | { kind: 'affiliate'; id: string; account_id: string; permissions: Record<string, never>; expires_at?: null };

/** A signed-in person. */
export interface SignedIn {
  /** Id of the session. */
  id: string;
  user_id: string;
}

/** A caller without an account: an anonymous one, or a signed-in person who has not chosen or joined an account yet. */
export interface Visitor {
  kind: 'visitor';
  session: SignedIn | null;
  /** The account that the request names, or else the session's active one. The caller is not a member of it, or it is closed to them. */
  account_id: string | null;
  /** The error that account-scoped procedures throw for this caller. */
  refusal: DomainError;
}

/** The effects of a previewed call. Its transaction is rolled back; these remain. */
export interface Preview {
  events: { type: string; data: unknown }[];
}

/** Facts about the browser behind a request of a visitor, as its headers tell them. */
export interface ClientFacts {
  /** Never stored: only a hash of it that changes daily. */
  address: string;
  userAgent: string | undefined;
  referrer: string | undefined;
  /** `Accept-Language`. */
  language: string | undefined;
  /** Country as a proxy in front of the service names it. */
  country: string | undefined;
  /** Query of the request's address. */
  query: string;
}

/** The context that a door (REST, tRPC, MCP) passes to a procedure. */
export interface CallContext {
  services: Services;
  requestId: string;
  principal: Principal | Visitor;
  surface: Surface;
  /** Address of the client, for limits of attempts and for proofs of acceptance. */
  clientAddress?: string | undefined;
  /** Opens the portal of one affiliate, in place of a session (docs/domain-rules.md#portal-links). */
  portalToken?: string | undefined;
  /** The account under whose own host name the request came (docs/domain-rules.md#portal-hosts). */
  hostAccountId?: string | undefined;
  /** Honoured by every mutation (docs/domain-rules.md#idempotency). */
  idempotencyKey?: string | undefined;
  /** Present when the mutation is a preview: it runs and is rolled back. */
  preview?: Preview | undefined;
  /** Set by the procedure for the door: a status other than the declared one, and whether the response is a replay. */
  reply: { status?: number; replayed?: boolean };
  /** Present for operations that browsers of visitors call. */
  client?: ClientFacts | undefined;
}

/** The context of a procedure that reads. */
export interface Ctx extends CallContext {
  principal: Principal;
  accountId: string;
  clock: Clock;
  /** The time of the call. In a mutation, the time of the change: taken again after each lock (`takeTime`). */
  now: Instant;
  /** Connection for reads. In a mutation it is the transaction. */
  db: Db;
}

/** The context of a mutation, inside its transaction. */
export interface WriteCtx extends Ctx {
  em: Em;
  /**
   * Schedules work for the end of the transaction, for what must be locked as shortly as possible. It gets the time of the change. The last work
   * may end the transaction itself, by a statement with `AND_COMMIT`.
   */
  beforeCommit: (work: (now: Instant, isLast: boolean) => Promise<void>) => void;
  /** Schedules work for after the commit. It does not run when the transaction is rolled back. */
  afterCommit: (work: () => void) => void;
}

/** The transaction of a change about a person, whatever the accounts it reaches. */
export type PersonWriteCtx = Pick<WriteCtx, 'services' | 'em' | 'db' | 'now' | 'afterCommit'>;

/** The context of a procedure about a person rather than an account. */
export interface PersonCtx {
  services: Services;
  requestId: string;
  session: SignedIn;
}

/** The context of a procedure that anyone may call. */
export type PublicCtx = Omit<PersonCtx, 'session'> & {
  session: SignedIn | null;
  client?: ClientFacts | undefined;
  hostAccountId?: string | undefined;
  clientAddress?: string | undefined;
};
