/** Form values in the shape of the contract's schemas. */

export type FormValue = string | boolean | File | FormValue[] | { [name: string]: FormValue };
export type FormValues = { [name: string]: FormValue };

/**
 * Nests dotted names: `tickets.0.ticketName` is the name of the first ticket. Checkboxes become booleans; browsers omit
 * unchecked ones, so their names are passed separately.
 */
export function nestedValues(
  entries: Iterable<[string, string | File]>,
  checkboxes: Iterable<string> = [],
): FormValues {
  const root: FormValues = {};
  const names = new Set(checkboxes);
  for (const name of names) setPath(root, name.split('.'), false);
  for (const [name, value] of entries) setPath(root, name.split('.'), names.has(name) ? true : value);
  return root;
}

export function valuesOf(form: HTMLFormElement): FormValues {
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[type=checkbox][name]')].filter(
    (box) => !box.disabled,
  );
  return nestedValues(
    new FormData(form),
    boxes.map((box) => box.name),
  );
}

/** Field names of a form, from top to bottom. */
export function fieldsOf(form: HTMLFormElement): string[] {
  return [...form.querySelectorAll('input[name], select[name], textarea[name]')].flatMap(
    (control) => control.getAttribute('name') ?? [],
  );
}

/** Problems of a group, such as `tickets`, sort with its first field; those without a field come last. */
export function inFieldOrder<Rule extends { field: string }>(
  fields: readonly string[],
  rules: readonly Rule[],
): Rule[] {
  const positionOf = ({ field }: Rule) => {
    const position = fields.findIndex((name) => name === field || name.startsWith(`${field}.`));
    return position === -1 ? fields.length : position;
  };
  return rules.toSorted((one, other) => positionOf(one) - positionOf(other));
}

function setPath(root: FormValues, path: string[], value: FormValue): void {
  let container: FormValue = root;
  path.forEach((step, index) => {
    const isLast = index === path.length - 1;
    const next = isLast ? value : (stepInto(container, step) ?? emptyFor(path[index + 1]));
    if (Array.isArray(container)) container[Number(step)] = next;
    else if (isContainer(container)) container[step] = next;
    container = next;
  });
}

const emptyFor = (nextStep: string | undefined): FormValue => (/^\d+$/.test(nextStep ?? '') ? [] : {});

function stepInto(container: FormValue, step: string): FormValue | undefined {
  if (Array.isArray(container)) return container[Number(step)];
  return isContainer(container) && Object.hasOwn(container, step) ? container[step] : undefined;
}

function isContainer(value: FormValue): value is { [name: string]: FormValue } {
  return typeof value === 'object' && !(value instanceof File) && !Array.isArray(value);
}
