import type { ComponentProps } from 'react';

/**
 * The element of every button. It keeps the focus while it is busy: the library disables a busy button, and a browser takes the focus from a disabled
 * element, so that the keyboard and screen readers would start again at the top of the page.
 */
export function BusyButton({ disabled = false, onClick, type = 'button', ...button }: ComponentProps<'button'>) {
  const mods = button as { 'data-loading'?: boolean; 'data-disabled'?: boolean };
  const isBusy = mods['data-loading'] === true && mods['data-disabled'] !== true;
  return (
    <button
      {...button}
      type={type}
      disabled={disabled && !isBusy}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
}
