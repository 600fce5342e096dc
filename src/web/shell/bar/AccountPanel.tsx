import { Link } from 'react-router';
import { topBar as text } from '#messages/records/top-bar.ts';
import { accountAt, yourDataAt } from '#web/shell/workspace/addresses.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';
import styles from './top-bar.module.css';
import { useLogOut } from './use-log-out.tsx';

export interface AccountPanelProps {
  name: string | null;
  /** Closed, it still asks what it was asking. */
  isOpen: boolean;
  onClose: () => void;
}

/** What concerns the person. */
function AccountPanel({ name, isOpen, onClose }: AccountPanelProps) {
  const { isBusy, logOut, question } = useLogOut();
  return (
    <>
      {isOpen && (
        <>
          {name && <p className={styles.name}>{name}</p>}
          <ul>
            <li>
              <Link to={accountAt} onClick={onClose}>
                {text.account}
              </Link>
            </li>
            <li>
              <Link to={yourDataAt} onClick={onClose}>
                {text.yourData}
              </Link>
            </li>
          </ul>
          <ThemeChoice />
          <button type="button" className={styles.out} aria-busy={isBusy} onClick={() => void logOut()}>
            <Icon name="log-out" />
            {text.logOut}
          </button>
        </>
      )}
      {question}
    </>
  );
}

export { AccountPanel as Component };
