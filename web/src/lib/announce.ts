/** Says something to screen readers, through the polite live region of the page. */
export function announce(text: string): void {
  const region = document.getElementById("announcements");
  if (!region) return;
  // The same words twice in a row are only read when the region was empty in between.
  region.textContent = "";
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}
