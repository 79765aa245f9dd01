// By which sign does the graph know a meeting? By its name, without what would end the quotes in which it is looked for.
export const nodeIdOf = (name: string): string => name.replace(/[%"\\]/g, encodeURIComponent);
export const meetingNameOf = (id: string): string => decodeURIComponent(id);
