/** Labels that differ from the wire value in more than case and underscores. */
const LABELS: Record<string, string> = {
  suspicious: 'Flagged',
  not_positive: 'Nothing to pay',
};

/** The label of a wire value, e.g. `partially_completed`, in sentence case. */
export function labelOf(value: string): string {
  const label = LABELS[value] ?? value.replaceAll('_', ' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Options of a select for these wire values. */
export function optionsOf<Value extends string>(values: readonly Value[]): { value: Value; label: string }[] {
  return values.map((value) => ({ value, label: labelOf(value) }));
}

/** A count with its noun: `1 referral`, `2 deliveries`. */
export function counted(count: number, noun: string): string {
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count.toLocaleString()} ${count === 1 ? noun : plural}`;
}
