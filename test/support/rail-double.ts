import type { Fields } from './http.ts';

/** The fate of the next request to pay. `straggle`: cut off, and carried out when `arrive` is called. */
export type Fate =
  | 'accept'
  | 'lose the answer'
  | 'lose the request'
  | 'straggle'
  | 'html'
  | { status: number; name: string; message?: string };

/** How far a payment is at a rail, whatever the rail calls it. `unheard of`: a state that nobody knows. */
export type Stage = 'pending' | 'unclaimed' | 'arrived' | 'failed' | 'returned' | 'unheard of';

/** A payment that a rail has made. */
export interface Made {
  key: string;
  /** Amount in cents that the receiver gets, or has got. */
  cents: number;
  currency: string;
  stage: Stage;
  /** True until the rail has looked at it. */
  isNew: boolean;
  /** The rail's id of the payment. */
  id: string;
}

/** A merchant's account at the double of a rail. */
export interface DoubleAccount {
  readonly credentials: Fields;
  /** The fates of the next requests to pay. Afterwards all are accepted. */
  fates: Fate[];
  /** Keys of the requests to pay, as they came. */
  readonly posts: readonly string[];
  /** Balance in cents by currency. Null: enough. */
  balance: Map<string, number> | null;
  readonly made: readonly Made[];
  /** Decides the new payments. */
  process(stage?: Stage): void;
  /** Decides a payment that is processed. */
  turn(key: string, stage: Stage, reason?: string): void;
  /** Changes the amount of a payment, as if the rail had paid another one. */
  misstate(key: string, cents: number): void;
  /** Carries out the requests that were cut off on their way within the last day. */
  arrive(): void;
  /** A notice about a payment, signed. */
  notice(key: string): SignedNotice;
}

export interface SignedNotice {
  body: string;
  headers: Record<string, string>;
}

/** The double of a rail, and what tests need to know about the rail. */
export interface RailDouble {
  readonly url: string;
  readonly requests: readonly string[];
  now: () => Date;
  isCutOff: () => boolean;
  addAccount(isSandbox?: boolean): DoubleAccount;
  stop(): Promise<void>;
}
