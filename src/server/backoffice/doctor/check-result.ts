export interface CheckResult {
  passed: boolean;
  message: string;
  /** Of the check, the same whatever it finds. */
  name?: string;
}

export const pass = (message: string): CheckResult => ({ passed: true, message });
export const fail = (message: string): CheckResult => ({ passed: false, message });
export const passIf = (passed: boolean, message: string): CheckResult => ({ passed, message });
