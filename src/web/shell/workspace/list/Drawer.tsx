import { type ReactNode, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import { modalHost, useModal } from '#web/ui/dialog/use-modal.ts';
import styles from './Drawer.module.css';

interface DrawerProps {
  title: string;
  close: string;
  onClose: () => void;
  children: ReactNode;
}

/** One row of a list, over the list. */
export function Drawer(props: DrawerProps) {
  return createPortal(<OpenDrawer {...props} />, modalHost());
}

function OpenDrawer({ title, close, onClose, children }: DrawerProps) {
  const panel = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModal(panel, onClose, { closesOnBackdrop: true });
  return (
    <div className={styles.scrim}>
      <dialog open ref={panel} className={styles.drawer} aria-labelledby={titleId} tabIndex={-1}>
        <div className={styles.head}>
          <h2 id={titleId}>{title}</h2>
          <IconButton icon="close" label={close} onClick={onClose} className={styles.close} />
        </div>
        <div className={styles.body}>{children}</div>
      </dialog>
    </div>
  );
}
