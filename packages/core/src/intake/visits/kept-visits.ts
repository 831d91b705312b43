const MAX_COUNT = 100_000;
/** At most about 100 MB, because a character takes one or two bytes. */
const MAX_CHARACTERS = 50_000_000;

/** Limits on the visits that are kept in memory. */
export interface KeptBounds {
  maxKept?: number;
  maxCharacters?: number;
}

/** Counts the visits that are kept in memory while the database does not answer, and their characters. */
export class KeptVisits {
  readonly #maxCount: number;
  readonly #maxCharacters: number;
  #count = 0;
  #characters = 0;

  constructor({ maxKept = MAX_COUNT, maxCharacters = MAX_CHARACTERS }: KeptBounds = {}) {
    this.#maxCount = maxKept;
    this.#maxCharacters = maxCharacters;
  }

  get count(): number {
    return this.#count;
  }

  hasRoomFor(json: string): boolean {
    return this.#count < this.#maxCount && this.#characters + json.length <= this.#maxCharacters;
  }

  add(json: string): void {
    this.#count += 1;
    this.#characters += json.length;
  }

  remove(json: string): void {
    this.#count -= 1;
    this.#characters -= json.length;
  }
}
