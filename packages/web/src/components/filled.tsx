import { Fragment, type ReactNode } from 'react';

interface FilledProps<Name extends string> {
  /** A text of the catalogue with placeholders. */
  text: (values: Record<Name, string>) => string;
  values: Record<Name, ReactNode>;
}

/** Shows a text of the catalogue with elements in place of its placeholders. */
export function Filled<Name extends string>({ text, values }: FilledProps<Name>) {
  const names = Object.keys(values) as Name[];
  const marked = text(Object.fromEntries(names.map((name) => [name, `{${name}}`])) as Record<Name, string>);
  return (
    marked
      .split(/\{(\w+)\}/)
      // Parts with an odd index are names of placeholders.
      .map((part, index) => <Fragment key={`${index} ${part}`}>{index % 2 === 0 ? part : values[part as Name]}</Fragment>)
  );
}
