/** The organizers' own accounts with the card company, where payouts arrive. */
export interface PayoutAccounts {
  /** Safe to repeat: one organizer has one account. */
  open(organizer: {
    userId: string;
    email: string;
    organizationName: string;
    organizationType: 'individual' | 'company';
  }): Promise<{ accountId: string }>;
  /** A link that works once, for a few minutes: made on click, never kept. */
  onboardingLink(accountId: string): Promise<{ url: string }>;
  /** `null` while the account has not been through onboarding. */
  dashboardLink(accountId: string): Promise<{ url: string } | null>;
  /** Whether payouts can be transferred to it right now. */
  isActive(accountId: string): Promise<boolean>;
}
