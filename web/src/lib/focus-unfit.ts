/** Brings the focus to the first field of a form that is not fit to be sent. */
export function focusUnfit(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    form?.querySelector<HTMLElement>('[data-broken], [aria-invalid="true"]')?.focus();
  });
}
