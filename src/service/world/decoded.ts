// Percent-decoding of addresses and forms.

/** A text without its percent signs, or as it stands where they are wrong. @param form whether a plus sign is a blank, as in forms and queries */
export const decodeText = (text: string, form = false): string => {
  try {
    return decodeURIComponent(form ? text.replaceAll('+', ' ') : text);
  } catch {
    return text;
  }
};
