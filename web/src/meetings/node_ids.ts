// By which sign does the graph know a meeting? By its name, without what would end the quotes in which it is looked for.
export const signOf = (name: string): string => name.replace(/[%"\\]/g, encodeURIComponent);
export const nameOf = (sign: string): string => decodeURIComponent(sign);
