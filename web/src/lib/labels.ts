/** "order_line" and "orderLine" as a person would write them: "Order line". */
export function humanise(name: string): string {
  const words = name
    .replace(
      /([a-z0-9])([A-Z])(?=[a-z])/g,
      (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`,
    )
    .replace(/[_-]+/g, " ")
    .trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : name;
}
