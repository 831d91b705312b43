import { type ComponentProps, type ReactNode, useId } from 'react';

interface FrameProps {
  title: string;
  /** The merchant whose name and logo the page shows. Default: those of the service. */
  brand?: { name: string; logo_path: string | null };
  children: ReactNode;
}

/** The layout of the pages that do without the component library. */
export function Frame({ title, brand, children }: FrameProps) {
  const heading = useId();
  return (
    <main>
      <title>{brand && title.includes(brand.name) ? title : `${title} · ${brand?.name ?? 'Affiliate'}`}</title>
      <div className="brand">
        {brand ? (
          brand.logo_path !== null && <img src={brand.logo_path} alt="" className="logo" />
        ) : (
          <img src="/icon.svg" alt="" width={28} height={28} />
        )}
        {brand?.name ?? 'Affiliate'}
      </div>
      <section className="card" aria-labelledby={heading}>
        <h1 id={heading}>{title}</h1>
        {children}
      </section>
    </main>
  );
}

interface FieldProps extends ComponentProps<'input'> {
  label: string;
  description?: string;
  error?: string | null | undefined;
  /** A button inside the field. */
  aside?: ReactNode;
  /** Says that the field is required, on a page where others are not. */
  mark?: string | undefined;
}

/** A text field, by default a required one. */
export function Field({ label, description, error, aside, mark, ...input }: FieldProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} mark={mark} description={description} error={error}>
      <input
        id={id}
        required
        aria-invalid={Boolean(error)}
        aria-describedby={error ? `${id}-error` : description ? `${id}-description` : undefined}
        {...input}
      />
      {aside}
    </Labelled>
  );
}

interface ChoiceFieldProps extends ComponentProps<'select'> {
  label: string;
  /** Shown while nothing is chosen. */
  empty: string;
  choices: readonly string[];
  error?: string | undefined;
  mark?: string | undefined;
}

/** A field to choose one of several texts. */
export function ChoiceField({ label, empty, choices, error, mark, ...select }: ChoiceFieldProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} mark={mark} error={error}>
      <select id={id} aria-invalid={Boolean(error)} aria-describedby={error ? `${id}-error` : undefined} {...select}>
        <option value="">{empty}</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    </Labelled>
  );
}

interface LabelledProps {
  id: string;
  label: string;
  mark: string | undefined;
  description?: string | undefined;
  error?: string | null | undefined;
  children: ReactNode;
}

function Labelled({ id, label, mark, description, error, children }: LabelledProps) {
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {mark && <span className="mark">{` ${mark}`}</span>}
      </label>
      {description && (
        <div id={`${id}-description`} className="description" aria-live="polite">
          {description}
        </div>
      )}
      <div className="input">{children}</div>
      {error && (
        <div id={`${id}-error`} className="error">
          {error}
        </div>
      )}
    </div>
  );
}

/** Shows why a submission failed. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <div role="alert" className="problem">
      {text}
    </div>
  );
}
