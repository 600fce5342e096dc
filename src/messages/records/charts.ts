/** Opens the table that says the same as a chart. */
export const asTable = 'As a table';
