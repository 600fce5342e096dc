import styles from '#web/shell/SideNav.module.css';
import { type Theme, useTheme } from '#web/shell/theme.ts';

const themes: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export function ThemeChoice() {
  const [theme, choose] = useTheme();
  return (
    <fieldset className={styles.themes}>
      <legend>Theme</legend>
      {themes.map(({ value, label }) => (
        <label key={value} className={styles.theme}>
          <input type="radio" name="theme" value={value} checked={theme === value} onChange={() => choose(value)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
