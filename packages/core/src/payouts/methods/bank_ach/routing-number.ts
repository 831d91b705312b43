const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];

/** True if a text is the routing number of a bank in the United States: nine digits whose weighted sum ends in 0. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false;
  return WEIGHTS.reduce((sum, weight, at) => sum + weight * Number(text.charAt(at)), 0) % 10 === 0;
}
