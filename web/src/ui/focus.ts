// Focus goes back when something that was opened over the screen closes. What had it and is gone: keepFocus.ts.

/** Remembers what has the focus now. The returned function gives it back, once what is closing has let go of it. */
export function rememberFocus(): () => void {
  const before = document.activeElement;
  return () => {
    setTimeout(() => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    });
  };
}
