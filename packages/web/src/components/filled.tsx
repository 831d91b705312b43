import { Fragment, type ReactNode } from 'react';

/** A text of the catalogue whose places, e.g. `{at}`, are filled with elements. */
export function Filled({ text, values }: { text: string; values: Record<string, ReactNode> }) {
  return (
    text
      .split(/\{(\w+)\}/)
      // Odd parts are names of places.
      .map((part, index) => <Fragment key={`${index} ${part}`}>{index % 2 === 0 ? part : values[part]}</Fragment>)
  );
}
