import { confirmEmailChange } from '#contract/app/accounts.ts';
import { emailChangePages } from '#messages/accounts.ts';
import { EmailChangePage } from './EmailChangePage.tsx';

const ConfirmEmailChangeScreen = () => (
  <EmailChangePage endpoint={confirmEmailChange} text={emailChangePages.confirm} />
);

export { ConfirmEmailChangeScreen as Component };
