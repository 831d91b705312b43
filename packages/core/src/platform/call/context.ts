import type { PermissionMap, SessionRole, Surface } from '../access/permissions.ts';
import type { Database, Db } from '../db/database.ts';
import type { LockLedger } from '../db/lock-order.ts';
import type { DomainError } from '../errors/errors.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Language } from '../texts/texts.ts';
import type { Clock } from '../time/clock.ts';
import type { Instant } from '../time/instant.ts';
import type { WorkingSet } from './working-set.ts';

/** The part of pino's interface that the core uses. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Dependencies of a process, created once by the composition root. Rooms add their ports (payment provider, mailer, host resolver) by
 * declaration merging, beside the declaration of the port.
 */
export interface Services {
  database: Database;
  clock: Clock;
  log: Logger;
  jobs: Jobs;
  secrets: SecretBox;
  /** Public address of the service, without a trailing slash. */
  publicUrl: string;
  /** Called if a transaction takes locks in the wrong order. Default: logs an error. Tests fail. */
  onWrongLockOrder?: ((message: string) => void) | undefined;
  /** Days for which clicks are kept. Default: 400. */
  clickRetentionDays?: number | undefined;
}

/** The caller, and the account that the call is for. */
export type Principal =
  | {
      kind: 'api_key';
      id: string;
      account_id: string;
      permissions: PermissionMap;
      expires_at?: Instant | null;
      livemode?: boolean | null;
    }
  | {
      kind: 'connector';
      id: string;
      account_id: string;
      permissions: PermissionMap;
      expires_at?: Instant | null;
      /** True if a person connected the assistant by consent, false for a connector with its own token. */
      consented: boolean;
      /** True if a key of live mode made the connector. Otherwise null: the connector has no mode. */
      livemode?: true | null;
      /** Largest amounts that the connector may mark as paid within 24 hours. Null for no limit. */
      daily_pay_limits: { currency: string; amount_cents: number }[] | null;
    }
  /** The service itself, for sweeps and for events of the payment provider. */
  | { kind: 'system'; account_id: string }
  | { kind: 'session'; id: string; user_id: string; account_id: string; role: SessionRole }
  /** An affiliate in the portal. Only procedures for affiliates create this principal (`portal/access`). It has no permissions. */
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
  /** Account that the request names, otherwise the session's active account. Set even if the caller has no access to that account. */
  account_id: string | null;
  /** The error that account-scoped procedures throw for this caller. */
  refusal: DomainError;
}

/** Effects of a previewed call, to be reported after its transaction was rolled back. */
export interface Preview {
  events: { type: string; data: unknown }[];
  /** Hashes of the request and of its effect, for a procedure whose effect must be confirmed (`platform/previews`). */
  request?: string | undefined;
  effect?: string | undefined;
}

/** How far a write has come: numbers of records. */
export interface Progress {
  done: number;
  total: number;
}

/** The write that must repeat a preview. */
export interface Confirmation {
  token: string;
  /** Hash of the procedure and its input. */
  request: string;
  isConfirmed: boolean;
}

/**
 * The condition on the record that a write names, as `If-Match` and `If-None-Match` state it (docs/rules/platform.md#conditional-requests).
 */
export interface Precondition {
  table: string;
  /** Id of the record. Undefined if the record is named by the merchant's own id, and may not exist yet. */
  id: string | undefined;
  /** Columns whose values make up the version of a record. */
  columns: readonly string[];
  /** The record must exist and have one of these versions. Null for any version. */
  match?: readonly string[] | null | undefined;
  /** The record must not have one of these versions. Null if it must not exist. */
  noneMatch?: readonly string[] | null | undefined;
}

/** Facts about a visitor's browser, from the headers of its request. */
export interface ClientFacts {
  /** IP address. Never stored. Only a hash of the address is stored, which is different every day. */
  address: string;
  userAgent: string | undefined;
  referrer: string | undefined;
  /** Origin of the page that sent the request, as the browser states it. Only requests of scripts have it. */
  origin: string | undefined;
  /** `Accept-Language`. */
  language: string | undefined;
  /** Country, as determined by a proxy in front of the service. */
  country: string | undefined;
  /** Query string of the request's URL. */
  query: string;
}

/** A file that has arrived as the body of a request. */
export interface Upload {
  fileId: string;
  size: number;
  /** Type of the file by its bytes. Null if it is unknown; the rest of the file has then not been read. */
  type: string | null;
  /** Hash of the bytes, which stands for the file in the fingerprint of the request. */
  sha256: string;
}

/** The context that a door (REST, tRPC, MCP) passes to a procedure. */
export interface CallContext {
  services: Services;
  requestId: string;
  principal: Principal | Visitor;
  surface: Surface;
  /** Language of refusals and of reasons in what a read returns. Only pages ask for another than English. */
  language?: Language | undefined;
  /** IP address of the client, for limits on attempts and for records of accepted terms. */
  clientAddress?: string | undefined;
  /** Token that grants access to the portal of one affiliate, instead of a session (docs/rules/portal.md#portal-links). */
  portalToken?: string | undefined;
  /** Account to whose own host name the request was sent (docs/rules/portal.md#portal-hosts). */
  hostAccountId?: string | undefined;
  /** The request's `Idempotency-Key`. Every mutation honours it (docs/rules/platform.md#idempotency). */
  idempotencyKey?: string | undefined;
  /** The condition on the record that the write names. Only writes that declare to be `conditional` check it. */
  precondition?: Precondition | undefined;
  /** Present when the mutation is a preview: it runs and is rolled back. */
  preview?: Preview | undefined;
  /** Token of the preview that this write must repeat. */
  previewToken?: string | undefined;
  /** Present when the write must repeat a preview. */
  confirmation?: Confirmation | undefined;
  /** Called after each committed step of a write in many steps. A run on which other processes work may advance by more than this call's steps. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Set by the procedure for the door (REST, tRPC, MCP) to send: a status other than the declared one, and whether the response is a replay. */
  reply: { status?: number; replayed?: boolean };
  /** Entry of the audit log that was written before the call began. It follows the call into test mode (docs/rules/platform.md#test-mode). */
  audited?: { entry: string | undefined; subject?: string } | undefined;
  /** File that arrived as the body of the request, for procedures that declare `maxUploadBytes`. */
  upload?: Upload | undefined;
  /**
   * Set while records are copied from elsewhere: no event and no mail tells of the changes, and new records have this time of creation. Null for the
   * time of the change.
   */
  copied?: { created_at: Instant | null } | undefined;
  /** Set for operations that visitors' browsers call. */
  client?: ClientFacts | undefined;
}

/** The context of a procedure that reads. */
export interface Ctx extends CallContext {
  principal: Principal;
  accountId: string;
  clock: Clock;
  /** The time of the call. In a mutation, the time of the change, which is set again after each lock (`takeTime`). */
  now: Instant;
  /** Connection for reads. In a mutation it is the transaction. */
  db: Db;
}

/** The context of a mutation, inside its transaction. */
export interface WriteCtx extends Ctx {
  /** The locks that the transaction holds. */
  locks: LockLedger;
  /** The records that the transaction has loaded. */
  records: WorkingSet;
  /** Schedules work for after the commit. The work does not run if the transaction is rolled back. */
  afterCommit: (work: () => void) => void;
}

/** The context of a change about a person, inside its transaction. The change may affect several accounts. */
export type PersonWriteCtx = Pick<WriteCtx, 'services' | 'db' | 'locks' | 'records' | 'now' | 'afterCommit'>;

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
