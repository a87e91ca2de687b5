/** The direction of the page, for components that would otherwise set left-to-right on their content. */
export const pageDirection = (): "ltr" | "rtl" => (document.documentElement.dir === "rtl" ? "rtl" : "ltr");
