// What looks like an e-mail address or a phone number. The server has the last word.

/** No spaces, one @, a dot in the domain. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** Optional +, first digit 1 to 9, up to 16 digits, not counting spaces, dashes and parentheses. */
export const isPhone = (text: string): boolean => /^\+?[1-9]\d{0,15}$/.test(text.replace(/[\s\-()]/g, ""));
