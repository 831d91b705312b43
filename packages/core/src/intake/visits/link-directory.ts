import { Notices, type NoticesOptions } from '@affiliate/postgres';
import { accountOfSlug } from '../../identity/accounts/account.entity.ts';
import type { Db } from '../../platform/db/database.ts';
import { databaseFailure } from '../../platform/errors/database-failures.ts';
import { type LinkTarget, findTarget, tokenKey } from './link-target.ts';

/** Notification channel. If an account's links change, triggers on the tables link, campaign and affiliate send the account's id on this channel. */
const CHANNEL = 'affiliate_links';
/** Maximum number of links kept in memory. */
const MAX_LINKS = 100_000;
/** How long a cached slug is used without a look-up. */
const SLUG_MS = 60_000;
/** Maximum number of slugs kept in memory. */
const MAX_SLUGS = 10_000;
/** How long cached destinations are used while the database cannot be reached (docs/rules/intake.md#visits). */
export const OUTAGE_MS = 60_000;

type Listener = Pick<Notices, 'start' | 'close'>;

/** Targets by account id (`''` for look-ups without an account) and by token. */
type Known = Map<string, Map<string, { target: LinkTarget; at: number }>>;

/**
 * Finds the destinations of tokens. Destinations of links that earn are cached; other destinations are looked up each time. When a change
 * commits, the database notifies all processes, and they drop the account's destinations from the cache.
 * While notifications may be missed, every look-up asks the database, and the cache is used only if the database cannot be reached.
 */
export class LinkDirectory {
  readonly #db: Db;
  #known: Known = new Map();
  #count = 0;
  /** Ids of accounts by slug, with the time of the look-up. */
  readonly #slugs = new Map<string, { id: string; at: number }>();
  /** True while notifications are received, so that `#known` matches the database. */
  #isHeard = false;
  #lostAt = -Infinity;
  /** Incremented by every notification. If a notification arrives during a look-up, the result is not cached, because it may be stale. */
  #changes = 0;
  #notices: Listener | null = null;
  readonly #openNotices: (options: NoticesOptions) => Listener;

  constructor(db: Db, openNotices: (options: NoticesOptions) => Listener = (options) => new Notices(options)) {
    this.#db = db;
    this.#openNotices = openNotices;
  }

  /** Subscribes to notifications. Settles when the subscription works, or when the first attempt to subscribe has failed. */
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
   * Returns the destination of a token, or null for an unknown token.
   *
   * @param isDown true if the database does not answer: a cached destination is used at once
   * @throws the database's error, when the database fails and the destination is not cached or was cached too long ago
   */
  async find(token: string, accountId: string | undefined, isDown: boolean): Promise<LinkTarget | null> {
    const known = this.#known.get(accountId ?? '')?.get(tokenKey(token));
    const mayBridge = known !== undefined && performance.now() - Math.max(known.at, this.#lostAt) < OUTAGE_MS;
    // A cached link that earns can be used, because writing its click checks the link's version in the database (`TARGET_VERSION`). Other
    // links are looked up again, because no click is written for them.
    if (known && ((this.#isHeard && known.target.earning) || (isDown && mayBridge))) return known.target;
    const changes = this.#changes;
    try {
      const target = await findTarget(this.#db, token, accountId);
      // A token without a link is not cached, because no notification is sent when the token gets a link.
      if (target?.id !== undefined && changes === this.#changes) this.#remember(token, accountId, target);
      return target;
    } catch (error) {
      if (known && mayBridge && databaseFailure(error) !== null) return known.target;
      throw error;
    }
  }

  /**
   * Returns the id of the account with this slug, or null. Slugs are cached, because no other account gets the slug of an account until that account
   * is deleted. If the database fails, a cached slug is used, however old.
   *
   * @param isDown true if the database does not answer: a cached slug is used at once
   */
  async accountOf(slug: string, isDown: boolean): Promise<string | null> {
    const key = slug.toLowerCase();
    const known = this.#slugs.get(key);
    if (known !== undefined && (isDown || performance.now() - known.at < SLUG_MS)) return known.id;
    try {
      const id = await accountOfSlug(this.#db, key);
      if (this.#slugs.size >= MAX_SLUGS) this.#slugs.clear();
      if (id === null) this.#slugs.delete(key);
      else this.#slugs.set(key, { id, at: performance.now() });
      return id;
    } catch (error) {
      if (known === undefined || databaseFailure(error) === null) throw error;
      return known.id;
    }
  }

  /** Drops a token from the cache, so that the next look-up asks the database. */
  forget(token: string, accountId: string | undefined): void {
    if (this.#known.get(accountId ?? '')?.delete(tokenKey(token))) this.#count -= 1;
  }

  #remember(token: string, accountId: string | undefined, target: LinkTarget): void {
    if (this.#notices === null) return;
    if (this.#count >= MAX_LINKS) this.#clear();
    const key = accountId ?? '';
    const tokens = this.#known.get(key) ?? new Map<string, { target: LinkTarget; at: number }>();
    this.#known.set(key, tokens);
    const before = tokens.size;
    tokens.set(tokenKey(token), { target, at: performance.now() });
    this.#count += tokens.size - before;
  }

  /**
   * Drops all tokens of an account from the cache, and all tokens that were looked up without an account, because these may belong to the
   * account.
   */
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
