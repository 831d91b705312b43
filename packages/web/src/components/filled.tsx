import { Fragment, type ReactNode } from 'react';

/** Shows a text of the catalogue with elements in place of its placeholders, e.g. `{at}`. */
export function Filled({ text, values }: { text: string; values: Record<string, ReactNode> }) {
  return (
    text
      .split(/\{(\w+)\}/)
      // Parts with an odd index are names of placeholders.
      .map((part, index) => <Fragment key={`${index} ${part}`}>{index % 2 === 0 ? part : values[part]}</Fragment>)
  );
}
