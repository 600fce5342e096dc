import { undoEmailChange } from '#contract/app/accounts.ts';
import { emailChangePages } from '#messages/accounts.ts';
import { EmailChangePage } from './EmailChangePage.tsx';

const UndoEmailChangeScreen = () => <EmailChangePage endpoint={undoEmailChange} text={emailChangePages.undo} />;

export { UndoEmailChangeScreen as Component };
