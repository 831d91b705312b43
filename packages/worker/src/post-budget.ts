/** While this many slots of the process are busy, no endpoint may get a second busy slot. */
const MOST_BUSY = 128;
/** Duration of a post after which its slot no longer counts as busy, because waiting for a receiver costs no processor time. */
const SLOW_AFTER_MS = 250;
/** Replaces SLOW_AFTER_MS while the process is overloaded. Every post is slow then, and more busy slots would only make posts slower. */
const SLOW_UNDER_LOAD_AFTER_MS = 1_000;
/** Utilization of the event loop above which the process counts as overloaded. */
const LOADED = 0.9;
const CHECK_EVERY_MS = 100;

/** One of an endpoint's slots. A slot makes one post after another. */
export interface PostSlot {
  isSlow: boolean;
  busySince: number;
  onSlow: () => void;
}

/**
 * Limits the concurrent posts of the process. Each endpoint may always have one busy slot, and more while the process has room. Without the
 * limit, a backlog of many endpoints would open thousands of connections and use each for a few posts, so that opening connections would
 * cost more than posting.
 */
export class PostBudget {
  readonly #slots = new Set<PostSlot>();
  #busy = 0;
  #timer: NodeJS.Timeout | null = null;
  #measured = performance.eventLoopUtilization();

  get hasRoom(): boolean {
    return this.#busy < MOST_BUSY;
  }

  get isExceeded(): boolean {
    return this.#busy > MOST_BUSY;
  }

  /**
   * Opens a slot.
   *
   * @param onSlow called when the slot's post turns out to be slow, because the endpoint may then open another slot
   */
  open(onSlow: () => void): PostSlot {
    const slot = { isSlow: false, busySince: performance.now(), onSlow };
    this.#slots.add(slot);
    this.#busy += 1;
    this.#timer ??= setInterval(() => this.#findSlow(), CHECK_EVERY_MS);
    return slot;
  }

  /** Marks the beginning of the slot's next post. */
  renew(slot: PostSlot): void {
    slot.busySince = performance.now();
    if (slot.isSlow) this.#busy += 1;
    slot.isSlow = false;
  }

  close(slot: PostSlot): void {
    if (!slot.isSlow) this.#busy -= 1;
    this.#slots.delete(slot);
    if (this.#slots.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #findSlow(): void {
    const { utilization } = performance.eventLoopUtilization(this.#measured);
    this.#measured = performance.eventLoopUtilization();
    const before = performance.now() - (utilization > LOADED ? SLOW_UNDER_LOAD_AFTER_MS : SLOW_AFTER_MS);
    const slow = [...this.#slots].filter(({ isSlow, busySince }) => !isSlow && busySince < before);
    for (const slot of slow) slot.isSlow = true;
    this.#busy -= slow.length;
    for (const { onSlow } of slow) onSlow();
  }
}
