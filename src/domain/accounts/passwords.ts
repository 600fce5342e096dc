/** Passwords that are guessed first. */

export type PasswordDenial = 'password-common';

export function denyPassword(
  password: string,
  {
    names,
    commonPasswords,
  }: {
    /** The email address, and the names of the person's organizations. */
    names: readonly (string | null)[];
    commonPasswords: ReadonlySet<string>;
  },
): PasswordDenial | null {
  const typed = password.toLowerCase();
  const isKnown = names.some((name) => name?.toLowerCase() === typed);
  return isKnown || commonPasswords.has(typed) ? 'password-common' : null;
}
