/**
 * The contract of a source: a payment provider, or another system that knows of payments (docs/rules/sources.md). An adapter is a folder beside `port`
 * that implements `Source`, and an entry in the table of sources (`Services.sources`).
 */
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import type { Reason } from '../../platform/texts/reason.ts';
import type { Capabilities, ProviderMode } from './capabilities.ts';
import type { IGNORED } from './reasons.ts';
import type { Seen } from './seen.ts';

export type { ProviderMode };

/** Settings of a connection that only its source understands. */
export type ConnectionSettings = Readonly<Record<string, string | null>>;

/** The merchant's account at the provider, as seen with the connection's key. */
export interface ProviderAccount {
  id: string;
  name: string | null;
  country: string | null;
  defaultCurrency: string | null;
}

/** A reason why an event has no effect. */
export type IgnoreReason = Reason<keyof typeof IGNORED>;

/** A delivery of a source, as it arrived. */
export interface Delivery {
  /** The body byte for byte, because signatures cover bytes. */
  rawBody: Uint8Array;
  /** Returns a header by its name in lower case. */
  header: (name: string) => string | undefined;
}

/** `full`: the sender is proven. `hint`: the delivery only says where something changed, which has to be read at the provider. */
export type Trust = 'full' | 'hint';

/** The payer whom an event is about. */
export interface EventPayer {
  id: string | null;
  externalId: string | null;
  email: string | null;
  /** The address that the current one replaced. */
  formerEmail: string | null;
}

/** An event of a source. Its id is the same in every delivery. Adapters add what they have read. */
export interface SourceEvent {
  id: string;
  type: string;
  occurredAt: Date;
  mode: ProviderMode;
  /** True if the event contains nothing of use. */
  isUnused: boolean;
  /** Why the event cannot have an effect so far; otherwise null. */
  problem: IgnoreReason | null;
  payer: EventPayer | null;
  /** The event as the source wrote it, for storage, or the part of it that is read again. */
  payload: Record<string, unknown>;
}

/** A page of what has changed at the provider. */
export interface Changes<Event extends SourceEvent = SourceEvent> {
  events: readonly Event[];
  /** The next look continues here if this one is cut off after this page. */
  place: string;
}

/** The place where an adapter finds what it has kept of a connection. */
export interface CompletionScope extends Pick<Ctx, 'db' | 'accountId'> {
  connectionId: string;
  mode: ProviderMode;
  now: () => Date;
}

/**
 * Access to a merchant's account at the provider, with the capabilities that the provider has.
 *
 * Every method rejects with a `PspError` and nothing else.
 */
export interface SourceAccess<Event extends SourceEvent = SourceEvent> extends Partial<Capabilities> {
  /** Returns the merchant's account. Rejects if the key is not valid. */
  account(): Promise<ProviderAccount>;

  /**
   * Asks the provider for data that an event lacks. Called outside transactions. Rejects with reason `incomplete` while the answer is not final.
   *
   * @param hasWaited true if the event was received so long ago that the provider's answer is final
   */
  complete(of: CompletionScope, event: Event, hasWaited: boolean): Promise<Event>;

  /** Reads at the provider what a hint is about. Rejects with `not_found`. Missing if `complete` reads it. */
  look?(hint: Event): Promise<Event>;

  /**
   * Iterates over the pages of what has changed at the provider since a time and may not have been delivered. Holds one page at a time.
   *
   * @param from the place at which an earlier look since this time was cut off
   */
  since(at: Date, from?: string): AsyncIterable<Changes<Event>>;

  /** Like `since`, over all that the provider has since a time. Missing if `since` goes back as far. */
  history?(at: Date, from?: string): AsyncIterable<Changes<Event>>;

  /** Enables an endpoint that this service created, and adds event types that it lacks. Returns true if something was missing. */
  ensureEndpoint(id: string): Promise<boolean>;
}

/** A value that the merchant enters to connect. Pages have the label of each field by source and name. */
interface CredentialField {
  name: string;
  isSecret: boolean;
  /** Shows the form of the value. */
  placeholder: string;
}

/** A decision of the merchant about a connection, of which a source gives the options. Pages have the label of each by source, name and option. */
interface Choice {
  name: string;
  /** The first one holds until the merchant chooses. */
  options: readonly string[];
}

export interface Source<Event extends SourceEvent = SourceEvent> {
  /** Name of the kind, as connections store it. */
  readonly kind: string;

  /** Name of the provider, for people. */
  readonly name: string;

  /** The credentials that the merchant enters, in order. Empty if the source has no API. */
  readonly fields: readonly CredentialField[];

  /** Decisions of the merchant about what earns. The settings of a connection have the chosen options by name. */
  readonly choices?: readonly Choice[];

  /** True if the provider gives up on a delivery within hours, so that it is asked for changes more often. */
  readonly givesUpSoon?: boolean;

  /** True if each event states its mode. Otherwise all events of a connection are of the mode of its key. */
  readonly statesMode?: boolean;

  /** Types of events that may contain something of use. */
  readonly eventTypes: readonly string[];

  /** The line of code that names the referral at a checkout. Missing if it depends on the way in which the customer pays. */
  readonly namingLine?: string;

  /** Settings of a new connection. Absent: none. */
  readonly initialSettings?: ConnectionSettings;

  /** Why an event of these types may have nothing that this service needs, by type. */
  readonly unneededReasons?: Readonly<Record<string, IgnoreReason>>;

  /**
   * Finds the account of a key, and its mode: null for the mode of the merchant's account in this service. Returns null if the text is not a key of this
   * source. Rejects with a `PspError` if the provider refuses the key.
   *
   * @param credentials the value of the only field, or the values of several fields as a JSON object
   */
  connect(credentials: string): Promise<{ mode: ProviderMode | null; account: ProviderAccount } | null>;

  /** True if the service creates the endpoint when the source is connected (`Endpoints`). */
  readonly createsEndpoint?: boolean;

  /** Makes the signing secret of a new connection. Missing if the provider makes it. */
  newSigningSecret?(): string;

  /** True if deliveries can be verified with a text as secret. Missing if any text can be a secret. */
  isSigningSecret?(text: string): boolean;

  /** Returns access to the account of a key. */
  open(
    credentials: string,
    settings: ConnectionSettings,
    scope: CompletionScope,
  ): SourceAccess<Event> | Promise<SourceAccess<Event>>;

  /** True for a delivery that only checks whether the address answers, and is not signed. Missing if the provider sends none. */
  isPing?(delivery: Delivery): boolean;

  /** Verifies a delivery with the valid secrets. Rejects with `InvalidPspEventError`. */
  verify(delivery: Delivery, secrets: readonly string[], now: Date): Promise<Trust>;

  /**
   * Splits a verified delivery of the merchant's own server, which may tell several events, or only ask whether they are valid. The answer then names
   * each event. Missing for a provider, whose delivery is one event.
   *
   * @throws VALIDATION_ERROR if one of the events is not valid; `MalformedPspEventError`
   */
  split?(body: string): { payloads: string[]; isTrial: boolean };

  /**
   * Reads the body of a delivery, or a payload that was stored. Throws `MalformedPspEventError`.
   *
   * @param mode mode of the connection, for events that do not state their mode
   */
  read(body: string, mode: ProviderMode, settings: ConnectionSettings): Event;

  /** Returns an event without name and addresses of its payer, apart from its payload. Needed if `tell` keeps anything of them. */
  withoutPayer?(event: Event): Event;

  /**
   * Keeps what an event of a connection says, and returns everything that is known now about its payer, its codes and its payments. The transaction has
   * the lock `psp events`.
   */
  tell(ctx: WriteCtx, connectionId: string, event: Event): Seen[] | Promise<Seen[]>;
}

declare module '../../platform/call/context.ts' {
  interface Services {
    sources: ReadonlyMap<string, Source>;
  }
}

/**
 * Returns the provider's mode whose records an account stores with `livemode` true: its test mode is the own mode of a test account
 * (docs/rules/platform.md#test-mode). Sources tell the provider's mode, which is converted where a record is stored or compared.
 */
export function ownMode(accountId: string): ProviderMode {
  return isTestAccount(accountId) ? 'test' : 'live';
}

/** Returns the stored `livemode` of a record of the provider's mode. */
export function isOwnMode(accountId: string, mode: ProviderMode): boolean {
  return mode === ownMode(accountId);
}
