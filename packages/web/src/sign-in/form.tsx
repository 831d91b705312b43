import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { t } from '../texts/sign-in.ts';

/** The layout of the sign-in pages. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main>
      <title>{`${title} · Affiliate`}</title>
      <div className="brand">
        <img src="/icon.svg" alt="" width={28} height={28} />
        Affiliate
      </div>
      <div className="card">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

interface FieldProps extends ComponentProps<'input'> {
  label: string;
  description?: string;
  error?: string | null;
  /** A button inside the field. */
  aside?: ReactNode;
}

export function Field({ label, description, error, aside, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {description && (
        <div id={`${id}-description`} className="description">
          {description}
        </div>
      )}
      <div className="input">
        <input
          id={id}
          required
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : description ? `${id}-description` : undefined}
          {...input}
        />
        {aside}
      </div>
      {error && (
        <div id={`${id}-error`} className="error">
          {error}
        </div>
      )}
    </div>
  );
}

export function PasswordField(props: FieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      aside={
        <button
          type="button"
          className="eye"
          aria-label={shown ? t.hidePassword : t.showPassword}
          onClick={() => setShown(!shown)}
        >
          <svg viewBox="0 0 24 24" width={18} height={18} fill="none" stroke="currentColor" strokeWidth={1.8} aria-hidden>
            <path d="M2 12c2.5-4.5 6-6.8 10-6.8s7.500 2.300 10 6.800c-2.500 4.500-6 6.800-10 6.800S4.500 16.500 2 12Z" />
            <circle cx={12} cy={12} r={3} />
            {shown && <path d="M4 4l16 16" />}
          </svg>
        </button>
      }
    />
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
