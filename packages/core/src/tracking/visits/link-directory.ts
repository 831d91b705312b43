import type { Db } from '../../platform/db/database.ts';
import { Notices, type NoticesOptions } from '../../platform/db/notices.ts';
import { databaseFailure } from '../../platform/errors/database-failures.ts';
import { type LinkTarget, findTarget } from './link-target.ts';

/** Channel on which the database names accounts whose links changed (triggers of link, campaign and affiliate). */
const CHANNEL = 'affiliate_links';
/** Links that are kept in memory. */
const MAX_LINKS = 100_000;
/** Time for which links lead on while the database cannot be reached (docs/domain-rules.md#visits). */
export const OUTAGE_MS = 60_000;

type Listener = Pick<Notices, 'start' | 'close'>;

/** Targets by account, or by `''` for tokens without one, and token. */
type Known = Map<string, Map<string, { target: LinkTarget; at: number }>>;

/**
 * Finds the destinations of tokens, and remembers those that earn until the database says that they changed: a change notifies all processes
 * when it commits. Others are looked up each time.
 * While notifications may be missed, every look-up asks the database; what was known then only bridges a time in which it cannot be reached.
 */
export class LinkDirectory {
  readonly #db: Db;
  #known: Known = new Map();
  #count = 0;
  /** Notifications are heard: `#known` is what the database holds. */
  #isHeard = false;
  #lostAt = -Infinity;
  /** Grows with every notification: a look-up that was under way meanwhile may have read the former state. */
  #changes = 0;
  #notices: Listener | null = null;
  readonly #openNotices: (options: NoticesOptions) => Listener;

  constructor(db: Db, openNotices: (options: NoticesOptions) => Listener = (options) => new Notices(options)) {
    this.#db = db;
    this.#openNotices = openNotices;
  }

  /** Settles when notifications are heard, or the first attempt to hear them has failed. */
  async listen(url: string): Promise<void> {
    const onHeard = () => {
      this.#changes += 1;
      this.#clear();
      this.#isHeard = true;
    };
    const onLost = () => {
      this.#changes += 1;
      this.#isHeard = false;
      this.#lostAt = performance.now();
    };
    this.#notices = this.#openNotices({
      url,
      channel: CHANNEL,
      onNotice: (accountId) => this.#forget(accountId),
      onHeard,
      onLost,
    });
    await this.#notices.start();
  }

  async close(): Promise<void> {
    await this.#notices?.close();
  }

  /**
   * The destination of a token; null for an unknown one.
   *
   * @param isDown the database does not answer: what is known counts at once
   * @throws the error of the database when it fails and the token is not known, or was known too long ago
   */
  async find(token: string, accountId: string | undefined, isDown: boolean): Promise<LinkTarget | null> {
    const known = this.#known.get(accountId ?? '')?.get(token.toLowerCase());
    const mayBridge = known !== undefined && performance.now() - Math.max(known.at, this.#lostAt) < OUTAGE_MS;
    // A click on a link that earns is checked against the database when it is written (`TARGET_VERSION`). Others write nothing, so they ask.
    if (known && ((this.#isHeard && known.target.earning) || (isDown && mayBridge))) return known.target;
    const changes = this.#changes;
    try {
      const target = await findTarget(this.#db, token, accountId);
      // A token without a link may get one, of which nobody is notified.
      if (target?.id !== undefined && changes === this.#changes) this.#remember(token, accountId, target);
      return target;
    } catch (error) {
      if (known && mayBridge && databaseFailure(error) !== null) return known.target;
      throw error;
    }
  }

  /** The next look-up asks the database. */
  forget(token: string, accountId: string | undefined): void {
    if (this.#known.get(accountId ?? '')?.delete(token.toLowerCase())) this.#count -= 1;
  }

  #remember(token: string, accountId: string | undefined, target: LinkTarget): void {
    if (this.#notices === null) return;
    if (this.#count >= MAX_LINKS) this.#clear();
    const key = accountId ?? '';
    const tokens = this.#known.get(key) ?? new Map<string, { target: LinkTarget; at: number }>();
    this.#known.set(key, tokens);
    const before = tokens.size;
    tokens.set(token.toLowerCase(), { target, at: performance.now() });
    this.#count += tokens.size - before;
  }

  /** Tokens without an account may lead to any. */
  #forget(accountId: string): void {
    this.#changes += 1;
    for (const key of [accountId, '']) {
      this.#count -= this.#known.get(key)?.size ?? 0;
      this.#known.delete(key);
    }
  }

  #clear(): void {
    this.#known = new Map();
    this.#count = 0;
  }
}
