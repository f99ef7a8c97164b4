/** Whether a `Database.location` is PostgreSQL's; otherwise it is the path of an SQLite file. */
export const isPostgres = (location: string) => /^postgres(ql)?:/.test(location);
