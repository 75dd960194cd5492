// Where scripts that the mock serves come from; published declarations lead here, so no framework is named.

/** Text of a script, from wherever this runtime keeps it; undefined where it has none. */
export type ScriptSource = () => Promise<string | undefined>;
