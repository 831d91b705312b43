import { type ComponentProps, useState } from 'react';
import { t } from '../texts/sign-in.ts';
import { Field } from './form.tsx';

export function PasswordField(props: ComponentProps<typeof Field>) {
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
