/** Slots of the whole process that may be busy before each endpoint is held to one. */
const MOST_BUSY = 128;
/** A slot whose post takes longer waits for its receiver. It costs no processor time, so it no longer counts as busy. */
const SLOW_AFTER_MS = 250;
/** The same while this process is the bottleneck: then every post takes long, and more of them at once would only take longer. */
const SLOW_UNDER_LOAD_AFTER_MS = 1_000;
/** Share of its time that the event loop is occupied, from which on the process is the bottleneck. */
const LOADED = 0.9;
const CHECK_EVERY_MS = 100;

/** Makes one post after another. */
export interface PostSlot {
  isSlow: boolean;
  busySince: number;
  onSlow: () => void;
}

/**
 * Limits the posts that the process makes at once. Every endpoint may have one busy slot; further ones only while there is room. Without it,
 * a backlog of many endpoints opens thousands of connections and uses each for a few posts, which costs more than the posts.
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

  /** @param onSlow called when the slot's post turns out to be slow: the endpoint may open another slot */
  open(onSlow: () => void): PostSlot {
    const slot = { isSlow: false, busySince: performance.now(), onSlow };
    this.#slots.add(slot);
    this.#busy += 1;
    this.#timer ??= setInterval(() => this.#findSlow(), CHECK_EVERY_MS);
    return slot;
  }

  /** The slot begins its next post. */
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
