// A password is the same on every device, however its keyboard puts letters and accents together.

/** As it is sent and proved: "é" is one character, and not a letter with an accent behind it. */
export const normalized = (password: string): string => password.normalize("NFC");

/** As many characters as the server counts. */
export const lengthOf = (password: string): number => [...normalized(password)].length;
