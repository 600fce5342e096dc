/** Passwords that are guessed first. */

export type PasswordDenial = 'password-common';

export function denyPassword(
  password: string,
  {
    email,
    organizationName,
    commonPasswords,
  }: {
    email: string;
    organizationName: string | null;
    commonPasswords: ReadonlySet<string>;
  },
): PasswordDenial | null {
  const typed = password.toLowerCase();
  const isKnown = [email, organizationName].some((name) => name !== null && name.toLowerCase() === typed);
  return isKnown || commonPasswords.has(typed) ? 'password-common' : null;
}
