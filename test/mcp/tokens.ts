import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * Returns the number of tokens that a value costs a model, as JSON. Counted with the vocabulary o200k_base, which comes with a package and
 * needs no network. The vocabularies of other models give slightly different numbers.
 */
export function tokensOf(value: unknown): number {
  return countTokens(typeof value === 'string' ? value : JSON.stringify(value));
}
