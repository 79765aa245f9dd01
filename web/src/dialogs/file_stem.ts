// What of a file's name is typed anew? Its stem: the folder before it and the ending behind it stay.

/** Select the stem of the name in a field, so that typing replaces it. */
export function selectStem(field: HTMLInputElement): void {
  const begin = field.value.lastIndexOf("/") + 1;
  const end = field.value.lastIndexOf(".");
  field.setSelectionRange(begin, end > begin ? end : field.value.length);
}
