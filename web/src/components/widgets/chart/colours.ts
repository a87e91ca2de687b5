const COLOURS = 8;

export const colourOf = (index: number): string => `var(--chart-${(index % COLOURS) + 1})`;

/** The second time round, lines are dashed and faces are pale. */
export const isRepeated = (index: number): boolean => index >= COLOURS;
